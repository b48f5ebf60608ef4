import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import {
  chmod,
  chown,
  copyFile,
  lchown,
  mkdir,
  readdir,
  readFile,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { anyRange, claimMediaPorts, type PortRange } from './media-ports.ts'
import { placeOf } from './programs.ts'
import { acceptsConnections, answersOptions, answersPing } from './switch-probe.ts'
import {
  certificateFor,
  createDatabase,
  type Definitions,
  definitionsFor,
  linkRoutes,
  type SwitchOptions,
} from './switch-settings.ts'
import { UserError } from './user-error.ts'

export type { SwitchOptions } from './switch-settings.ts'

/** Kamailio and rtpengine, run by us inside the data folder. Both end with us, cleanly or not. */
export type RunningSwitch = {
  controlPort: number
  /** The address that phones and carriers are given. */
  address: string
  sipPort: number
  tlsPort: number | null
  phonePort: number | null
  mediaPorts: PortRange
  /** Of the processes to end for a test of what happens then. */
  kamailioPid(): number | undefined
  rtpenginePid(): number | undefined
  close(): Promise<void>
}

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 5_000
const RESTART_AFTER_MS = 200
const MEDIA_LOSS_PATIENCE_MS = 60_000
const MAX_LINES = 12
const LONGEST_LOG_BYTES = 20_000_000
const LOOK_AT_LOGS_EVERY_MS = 60_000

export async function startSwitch(options: SwitchOptions): Promise<RunningSwitch> {
  const { runFolder } = options
  const wrap = await dropPrivileges(runFolder)
  const certificate = await certificateFor(runFolder, options)
  const definitions = await definitionsFor(options, certificate)
  const configuration = join(runFolder, 'kamailio.cfg')
  await createDatabase(definitions.database)
  await writeFile(configuration, definitions.text, { mode: 0o600 })
  await linkRoutes(runFolder)
  await wrap.giveAway()

  const mediaPorts = await claimMediaPorts(options.mediaPorts ?? anyRange)
  const running: Kept[] = []
  const logs = setInterval(() => void shortenLogs(), LOOK_AT_LOGS_EVERY_MS).unref()
  try {
    // Kamailio looks for rtpengine when it starts, and would do without for a while.
    begin('rtpengine', rtpengineArguments(definitions, mediaPorts), () =>
      tellMediaLost(definitions.silencePort),
    )
    await until(() => answersPing(definitions.mediaPort))
    begin('kamailio', kamailioArguments(options, configuration))
    await until(() => answersOptions(definitions.probeAddress, options.sipPort))
    await until(() => acceptsConnections(definitions.controlPort))
  } catch (error) {
    await close()
    throw error
  }
  return {
    controlPort: definitions.controlPort,
    address: definitions.address,
    sipPort: options.sipPort,
    tlsPort: definitions.tlsPort,
    phonePort: definitions.phonePort,
    mediaPorts,
    kamailioPid: () => running.at(-1)?.current().pid,
    rtpenginePid: () => running[0]?.current().pid,
    close,
  }

  function launch(program: string, args: string[]): ChildProcess {
    const log = openSync(join(runFolder, `${program}.log`), 'a')
    // A process group of its own: Ctrl-C in the terminal reaches us alone, and a killed Kamailio leaves children to end.
    const place = placeOf(program) ?? program
    const command = program === 'kamailio' ? patiently(place, args) : ([place, args] as const)
    return spawn(...wrap.command(...command), {
      cwd: runFolder,
      detached: true,
      stdio: ['ignore', log, log],
    })
  }

  function begin(program: string, args: string[], onLoss?: () => void): void {
    running.push(keepRunning(program, () => launch(program, args), onLoss))
  }

  async function until(isReady: () => Promise<boolean>): Promise<void> {
    for (const giveUpAt = Date.now() + START_TIMEOUT_MS; !(await isReady()); await pause(25)) {
      for (const { name, current } of running)
        if (hasEnded(current())) throw await complaintOf(name, 'ended while starting')
      if (Date.now() > giveUpAt) throw await complaintOf(running.at(-1)?.name ?? '', 'does not answer')
    }
  }

  async function complaintOf(program: string, what: string): Promise<UserError> {
    const log = await readFile(join(runFolder, `${program}.log`), 'utf8').catch(() => '')
    // Of the last start, what went wrong first: the rest follows from it.
    const lines = log
      .slice(Math.max(log.lastIndexOf('Listening on'), 0))
      .trim()
      .split('\n')
    const faults = lines.filter((line) => /ERROR|CRITICAL|ERR:|CRIT:|error/.test(line))
    const words = (faults.length > 0 ? faults : lines).slice(0, MAX_LINES)
    return new UserError(`The switch cannot start: ${program} ${what}. It said:\n${words.join('\n')}`)
  }

  /** Strangers can make it write; the disk is not theirs to fill. */
  async function shortenLogs(): Promise<void> {
    for (const { name } of running) {
      const file = join(runFolder, `${name}.log`)
      const { size } = await stat(file).catch(() => ({ size: 0 }))
      if (size < LONGEST_LOG_BYTES) continue
      await copyFile(file, `${file}.1`)
      await truncate(file)
    }
  }

  async function close(): Promise<void> {
    clearInterval(logs)
    for (const program of running.splice(0).reverse()) await program.stop()
    await mediaPorts.release()
  }
}

type Kept = { name: string; current(): ChildProcess; stop(): Promise<void> }

/**
 * An rtpengine that was started again knows no calls: those of before have no sound, and nobody would tell that they are silent. So the
 * switch is told, again and again where it is starting itself.
 */
async function tellMediaLost(silencePort: number): Promise<void> {
  const lostAt = String(Date.now())
  for (
    const giveUpAt = Date.now() + MEDIA_LOSS_PATIENCE_MS;
    Date.now() < giveUpAt;
    await pause(RESTART_AFTER_MS)
  ) {
    const told = await fetch(`http://127.0.0.1:${silencePort}/media-lost`, {
      method: 'POST',
      body: lostAt,
      headers: { 'content-type': 'text/plain' },
      signal: AbortSignal.timeout(2_000),
    }).catch(() => null)
    if (told?.ok) return
  }
}

/** Starts a program and starts it again whenever it ends by itself. */
function keepRunning(name: string, start: () => ChildProcess, onLoss: () => void = () => {}): Kept {
  let isStopping = false
  let isRunning = false
  let child = begin()
  return { name, current: () => child, stop }

  function begin(): ChildProcess {
    const began = start()
    began.once('spawn', () => {
      isRunning = true
    })
    began.once('error', () => {})
    began.once('exit', async () => {
      endGroup(began)
      if (!isStopping && isRunning) onLoss()
      await pause(RESTART_AFTER_MS)
      if (!isStopping && isRunning) child = begin()
    })
    return began
  }

  async function stop(): Promise<void> {
    isStopping = true
    if (child.pid === undefined || hasEnded(child)) return
    const ended = new Promise<true>((resolve) => child.once('exit', () => resolve(true)))
    child.kill('SIGTERM')
    const isClean = await Promise.race([ended, pause(STOP_TIMEOUT_MS, false, { ref: false })])
    if (!isClean) endGroup(child)
    await ended
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** Children that outlived their parent would hold its ports. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody was left.
  }
}

/**
 * With all processors busy it waits for its turn in place of breaking into somebody else's for each message: a twentieth less work for
 * a call. Speech, which cannot wait, is rtpengine's.
 */
export function patiently(program: string, args: readonly string[]): [string, string[]] {
  const polite = ['--batch', '0', program, ...args]
  const isAllowed = spawnSync('chrt', ['--batch', '0', 'true'], { stdio: 'ignore' }).status === 0
  return isAllowed ? ['chrt', polite] : [program, [...args]]
}

function kamailioArguments(options: SwitchOptions, configuration: string): string[] {
  return [
    ...['-DD', '-E', '-f', configuration, '-Y', options.runFolder, '-w', options.runFolder],
    // The memory managers without bookkeeping for debugging. Of what all processes share only what was ever needed takes room,
    // and where it runs short the switch does not refuse: it slows down to a crawl, looking for gaps.
    ...['-m', '1024', '-M', '16', '-x', 'fm', '-X', 'fm'],
  ]
}

function rtpengineArguments(definitions: Definitions, { from, to }: PortRange): string[] {
  const { mediaPort, silencePort, silenceSeconds, interfaces } = definitions
  return [
    ...['--foreground', '--log-stderr', '--log-level=4', '--config-file=none', '--table=-1'],
    ...interfaces.map((address) => `--interface=${address}`),
    `--listen-ng=127.0.0.1:${mediaPort}`,
    ...[`--port-min=${from}`, `--port-max=${to}`],
    ...[`--timeout=${silenceSeconds}`, '--silent-timeout=3600', '--delete-delay=0', '--offer-timeout=180'],
    ...[`--b2b-url=http://127.0.0.1:${silencePort}`, '--xmlrpc-format=2'],
    // With several senders, rtpengine prefers the address named in the SDP; media.cfg.
    ...['--endpoint-learning=heuristic', '--num-threads=2', '--media-num-threads=1'],
  ]
}

type Wrapper = {
  command(program: string, args: string[]): [string, string[]]
  /** Hands what is in the run folder to the user that the switch runs as. */
  giveAway(): Promise<void>
}

/**
 * What listens to strangers does not run as root: root hands it to an ordinary system user, who may read in folders closed
 * to it (a clone in /root must work too) and open the ports below 1024, and nothing else.
 */
async function dropPrivileges(runFolder: string): Promise<Wrapper> {
  await mkdir(runFolder, { recursive: true })
  await chmod(runFolder, 0o700)
  const dieWithParent = ['--pdeathsig', 'TERM']
  if (process.getuid?.() !== 0)
    return {
      command: (program, args) => ['setpriv', [...dieWithParent, program, ...args]],
      giveAway: async () => {},
    }
  const user = await systemUser()
  const capabilities = '+dac_read_search,+net_bind_service'
  return {
    command: (program, args) => [
      'setpriv',
      [
        ...[`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...dieWithParent],
        ...[`--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`],
        ...[program, ...args],
      ],
    ],
    async giveAway() {
      await chown(runFolder, user.uid, user.gid)
      for (const name of await readdir(runFolder)) await lchown(join(runFolder, name), user.uid, user.gid)
    },
  }
}

async function systemUser(): Promise<{ uid: number; gid: number }> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of ['kamailio', 'nobody']) {
    const found = accounts.find((account) => account[0] === name)
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) }
  }
  throw new UserError('Running as root needs a system user named kamailio or nobody for the switch.')
}
