import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { dollars } from '@trunkline/domain/money'
import { defaultLimits } from '../launcher/switch-settings.ts'
import { startProvider } from '../sip/test/e2e/provider.ts'
import { nextPort } from '../sip/test/harness.ts'
import { runSipp, type SippOptions, type SippRun } from '../sip/test/sipp.ts'
import { type BareKind, startBare } from './bare-relay.ts'
import { descendsFrom, dutiesOf, processorTime } from './processor-time.ts'

/**
 * CPU time per call and per registration, by program and process type, at a fixed moderate rate, compared with a plain Kamailio relay.
 * It measures CPU time, so other load on the machine has little effect. See README.md.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)
const WARM_SECONDS = Number(process.env.BENCH_WARM ?? 5)
const RATE = Number(process.env.BENCH_RATE ?? 100)
const all = ['relay', 'dialogs', 'registrar', 'control', 'speech', 'talking', 'registrations']
/** Of each call of `talking`. */
const TALK_MS = 20_000
const A_LAW_SILENCE = 0xd5
/** Comma-separated. */
const ONLY = process.env.BENCH_ONLY?.split(',') ?? all
const account = { user: 'bench', password: 'a password of the benchmark' }

type Offered = Omit<SippOptions, 'port' | 'calls' | 'perSecond'>
/** `program: process type` of a process. */
type PartyOf = (pid: number, title: string) => string | null

const sippOr = (title: string): string | null => (title.startsWith('sipp ') ? 'SIPp: both ends' : null)

/** Runs the calls and prints the CPU time per call of each program. */
async function costs(what: string, offered: Offered, partyOf: PartyOf): Promise<void> {
  await runFor(offered, WARM_SECONDS)
  await pause(500)
  const before = processorTime()
  const { calls, successful } = await runFor(offered, SECONDS)
  // Wait for settlement and acknowledgments, which belong to the calls too.
  await pause(700)
  const after = processorTime()
  const sums = new Map<string, number>()
  for (const [pid, { ms, title }] of after) {
    const party = descendsFrom(after, pid, process.pid) ? partyOf(pid, title) : null
    if (party) sums.set(party, (sums.get(party) ?? 0) + (ms - (before.get(pid)?.ms ?? 0)) / calls)
  }
  console.log(`${what}: ${successful} of ${calls} at ${RATE}/s`)
  for (const who of new Set([...sums.keys()].map((party) => party.split(':')[0]))) {
    const parts = [...sums].filter(([party]) => party.startsWith(`${who}:`)).sort()
    print(`${who}`, sum(parts))
    if (parts.length > 1) for (const part of parts) if (part[1] >= 0.01) print(`  ${part[0]}`, part[1])
  }
}

const sum = (parts: [string, number][]): number => parts.reduce((total, [, ms]) => total + ms, 0)
const print = (what: string, ms: number) => console.log(`  ${what.padEnd(44)} ${ms.toFixed(3)} ms`)

async function runFor(offered: Offered, seconds: number): Promise<{ calls: number; successful: number }> {
  const calls = Math.round(RATE * seconds)
  const timeoutSeconds = seconds * 2 + 10 + Number(offered.talk ?? 0) / 1_000
  const many = { port: nextPort(), calls, perSecond: RATE, timeoutSeconds }
  const { successful } = await (await runSipp({ ...offered, ...many })).ended
  return { calls, successful }
}

const startCarrier = (isMute: boolean, more: Partial<SippOptions> = {}): Promise<SippRun> =>
  runSipp({ scenario: 'carrier', port: nextPort(), calls: 10_000_000, timeoutSeconds: 600, isMute, ...more })

async function bare(kind: BareKind): Promise<void> {
  const carrier = await startCarrier(true)
  const port = nextPort()
  const baseline = await startBare(kind, port, carrier.port, account)
  const scenario = kind === 'registrar' ? 'register' : 'caller-by-address'
  try {
    await costs(
      `Kamailio alone, ${kind}`,
      { scenario, remotePort: port, account, service: account.user, isMute: true },
      (_pid, title) => (title.startsWith('kamailio') ? 'Kamailio: all' : sippOr(title)),
    )
  } finally {
    await baseline.close()
    carrier.stop()
    await carrier.ended
  }
}

async function controlled(names: readonly string[]): Promise<void> {
  const provider = await startProvider(
    {},
    { limits: { ...defaultLimits, knownPerSecond: 1_000_000, registrationsPerTenSeconds: 1_000_000 } },
  )
  try {
    const customer = await provider.newCustomer({ balance: dollars(1_000_000) })
    const limits = { max_concurrent_calls: 100_000, max_calls_per_second: 10_000 }
    await provider.guard(customer.id, { ...limits, daily_spend_micros: dollars(1_000_000) })
    const duties = await dutiesOf(provider.harness.runFolder)
    const partyOf: PartyOf = (pid, title) => {
      if (duties.has(pid)) return `Kamailio: ${duties.get(pid)}`
      if (title.includes('rtpengine')) return 'rtpengine: all'
      if (title.includes('callcontrol.ts')) return 'call control: all'
      if (title.startsWith('postgres: trunkline')) return 'PostgreSQL: connections'
      if (title.startsWith('postgres:') || title.includes('/postgres ')) return 'PostgreSQL: the rest'
      return sippOr(title)
    }
    const remotePort = provider.sipPort
    if (names.includes('registrations')) {
      const offered = { scenario: 'register', remotePort, service: customer.username } as const
      await costs('registrations', { ...offered, account: customer.account }, partyOf)
    }
    const exchange = '127.0.0.2'
    const file = join(provider.harness.runFolder, 'speech.alaw')
    await writeFile(file, Buffer.alloc(8_000, A_LAW_SILENCE))
    await provider.setAddress(customer, exchange, 'approved')
    for (const name of names.filter((one) => one !== 'registrations')) {
      const isMute = name === 'control'
      const isTalking = name === 'talking'
      const carrier = await startCarrier(isMute, isTalking ? { speech: 'echo' } : {})
      await provider.dropTrunks()
      await provider.newTrunk({ host: '127.0.0.1', port: carrier.port }, { capacity: 100_000 })
      await provider.settle()
      const what = isMute ? 'full control, no speech' : 'full control, with speech'
      const from = { host: exchange, remoteHost: '127.0.0.1' }
      const spoken = isTalking ? { talk: TALK_MS, speech: { file } } : {}
      await costs(
        isTalking ? `${what} for ${TALK_MS / 1_000} s` : what,
        { scenario: 'caller-by-address', remotePort, isMute, ...from, ...spoken },
        partyOf,
      )
      carrier.stop()
      await carrier.ended
    }
    const faults = await provider.faults()
    console.log(faults.length === 0 ? 'the ledger balances' : faults.join('\n'))
  } finally {
    await provider.close()
  }
}

for (const kind of ['relay', 'dialogs', 'registrar'] as const) if (ONLY.includes(kind)) await bare(kind)
const ours = ['registrations', 'control', 'speech', 'talking'].filter((name) => ONLY.includes(name))
if (ours.length > 0) await controlled(ours)
