import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { acceptsConnections } from '../../launcher/switch-probe.ts'
import { eventually } from './eventually.ts'

/** A run of SIPp with a scenario from sip/scenarios. */
export type SippRun = {
  port: number
  /** Quits SIPp without ending its live calls. */
  stop(): void
  /** Kills SIPp. */
  kill(): void
  /** Resolves when all calls are done. */
  ended: Promise<SippResult>
}

export type SippResult = {
  exitCode: number | null
  successful: number
  failed: number
  /** Times from its log by Call-ID, in milliseconds since 1970. */
  calls: Map<string, { answeredAt?: number; endedAt?: number }>
  /** SIPp's log of unexpected messages. */
  errors: string
}

type Account = { user: string; password: string }

export type SippOptions = {
  scenario:
    | 'caller'
    | 'caller-by-address'
    | 'caller-gives-up'
    | 'caller-hears-busy'
    | 'caller-is-cut'
    | 'carrier'
    | 'register'
  port: number
  /** Port of the switch; a carrier needs none. */
  remotePort?: number
  host?: string
  /** Address of the switch, if it differs from SIPp's own. */
  remoteHost?: string
  calls: number
  perSecond?: number
  /** Duration of each call in milliseconds, fixed or a random value in a range. */
  talk?: number | readonly [from: number, to: number]
  /** Calls without SDP. */
  isMute?: boolean
  /** The caller plays this A-law file in a loop; a carrier echoes. */
  speech?: { file: string } | 'echo'
  service?: string
  account?: Account
  /** Callers that take turns, instead of one account. */
  accounts?: readonly Account[]
  transport?: 'udp' | 'tcp'
  timeoutSeconds?: number
  /** Timeout for an expected message. */
  recvTimeoutMs?: number
}

const scenarios = fileURLToPath(new URL('../scenarios/', import.meta.url))

export const isSippInstalled = (): boolean => existsSync('/usr/bin/sipp')

export async function runSipp(options: SippOptions): Promise<SippRun> {
  const { host = '127.0.0.1', port, calls, perSecond = 10 } = options
  const folder = await mkdtemp(join(tmpdir(), 'sipp-'))
  const file = (name: string) => join(folder, name)
  if (options.accounts) await writeFile(file('accounts.csv'), fieldsOf(options.accounts))
  const bracketed = (address: string) => (address.includes(':') ? `[${address}]` : address)
  const shown = bracketed(host)
  const args = [
    ...(options.remotePort ? [`${bracketed(options.remoteHost ?? host)}:${options.remotePort}`] : []),
    ...['-sf', await scenarioOf(options, folder), '-i', shown, '-mi', shown, '-p', String(port)],
    ...['-m', String(calls), '-r', String(perSecond), '-l', String(Math.max(calls, 10))],
    ...(typeof options.talk === 'number' ? ['-d', String(options.talk)] : []),
    ...(options.accounts ? ['-inf', file('accounts.csv')] : []),
    ...(options.speech === 'echo' ? ['-rtp_echo', '-mp', String(port + 2)] : []),
    // Small socket buffers lose messages under load.
    ...['-buff_size', '4194304'],
    ...['-s', options.service ?? '442071234567', '-t', options.transport === 'tcp' ? 't1' : 'u1'],
    ...(options.account ? ['-au', options.account.user, '-ap', options.account.password] : []),
    // By default SIPp's digest URI contains only the address, not the number.
    ...(options.account || options.accounts ? ['-auth_uri', authUriOf(options, host)] : []),
    // The switch pings a carrier with OPTIONS and skips it without a reply.
    ...(options.scenario === 'carrier' ? ['-aa'] : []),
    ...[
      '-timeout',
      `${options.timeoutSeconds ?? 180}s`,
      '-recv_timeout',
      String(options.recvTimeoutMs ?? 20_000),
      '-nostdin',
    ],
    ...['-trace_stat', '-stf', file('stat.csv'), '-fd', '1', '-trace_logs', '-log_file', file('log')],
    ...['-trace_err', '-error_file', file('errors')],
  ]
  const began = Date.now()
  const child = spawn('sipp', args, { cwd: folder, stdio: 'ignore' })
  // A refused TCP connection is not retried, so wait until SIPp listens.
  if (options.scenario === 'carrier' && options.transport === 'tcp')
    await eventually(() => acceptsConnections(port), 'SIPp to listen')
  return {
    port,
    stop: () => void child.kill('SIGUSR1'),
    kill: () => void child.kill('SIGKILL'),
    ended: resultOf(child, folder, began),
  }
}

/** The digest URI without "sip:", which SIPp prepends. */
function authUriOf({ scenario, service, remoteHost, remotePort }: SippOptions, host: string): string {
  const far = remoteHost ?? host
  const shown = `${far.includes(':') ? `[${far}]` : far}:${remotePort}`
  return scenario === 'register' ? shown : `${service ?? '442071234567'}@${shown}`
}

/** SIPp reads credentials from a CSV field, but does not expand fields inside it. */
const fieldsOf = (accounts: readonly Account[]): string =>
  [
    'SEQUENTIAL',
    ...accounts.map(
      ({ user, password }) => `${user};[authentication username=${user} password=${password}];`,
    ),
    '',
  ].join('\n')

async function scenarioOf(options: SippOptions, folder: string): Promise<string> {
  const { scenario, isMute, talk, speech, accounts } = options
  let text = await readFile(join(scenarios, `${scenario}.xml`), 'utf8')
  if (accounts) {
    text = text.replaceAll('[authentication]', '[field1]')
    if (scenario === 'register') text = text.replaceAll('[service]', '[field0]')
  }
  if (typeof talk === 'object')
    text = text.replace('<pause/>', `<pause distribution="uniform" min="${talk[0]}" max="${talk[1]}"/>`)
  if (typeof speech === 'object') {
    const saying = `<nop><action><exec rtp_stream="${speech.file},-1,8,PCMA/8000"/></action></nop>`
    text = text
      .replaceAll('[media_port]', '[rtpstream_audio_port]')
      .replace(/<pause|<recv request="BYE"/, (next) => `${saying}\n\n  ${next}`)
  }
  if (isMute) text = text.replace(/Content-Type: application\/sdp[\s\S]*?PCMA\/8000/g, 'Content-Length: 0')
  const file = join(folder, 'scenario.xml')
  await writeFile(file, text)
  return file
}

/** Not an error: on a busy machine a request is repeated before its reply arrives. */
const RETRANSMITTED =
  /[\d-]+\t[\d:.]+\t[\d.]+: Dead call \S+ \(successful\), received 'SIP\/2\.0 [^']*CSeq: \d+ (BYE|INVITE)[^']*'/g

/** Not an error: SIPp reports that it got no processor time. */
const OVERLOAD = /^.*Overload warning: .*trips remaining\.\s*$/gm

async function resultOf(child: ChildProcess, folder: string, began: number): Promise<SippResult> {
  const exitCode = await new Promise<number | null>((resolve) => {
    child.once('exit', resolve)
    child.once('error', () => resolve(null))
  })
  const text = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '')
  const [names = [], ...rows] = (await text('stat.csv'))
    .trim()
    .split('\n')
    .map((line) => line.split(';'))
  const last = rows.at(-1) ?? []
  const count = (name: string) => Number(last[names.indexOf(name)] ?? 0)
  const calls: SippResult['calls'] = new Map()
  for (const line of (await text('log')).split('\n')) {
    const [, what, callId = '', tick = 0] = /^(answered|ended) (\S+) (\d+)/.exec(line) ?? []
    if (!what) continue
    const call = calls.get(callId) ?? {}
    calls.set(callId, { ...call, [`${what}At`]: began + Number(tick) })
  }
  const errors = (await text('errors'))
    .replace(RETRANSMITTED, '')
    .replace(OVERLOAD, '')
    .replace(/^The following events occurred:\s*$/, '')
  await rm(folder, { recursive: true, force: true })
  return { exitCode, successful: count('SuccessfulCall(C)'), failed: count('FailedCall(C)'), calls, errors }
}
