import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chmod, chown, lchown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { rotateLog } from './log-rotation.ts'
import { type ClaimedPorts, claimMediaPorts, FALLBACK_RANGES, type PortRange } from './media-ports.ts'
import { pathOf } from './programs.ts'
import { acceptsConnections, answersOptions, answersPing } from './switch-probe.ts'
import {
  certificateFor,
  copyRoutes,
  createDatabase,
  type Definitions,
  definitionsFor,
  type SwitchOptions,
  TARGET_SECONDS,
} from './switch-settings.ts'
import { UserError } from './user-error.ts'

export type { SwitchOptions } from './switch-settings.ts'

/** Kamailio and rtpengine as child processes. Both end with the launcher, even after a kill -9. */
export type RunningSwitch = {
  controlPort: number
  /** The advertised address. */
  address: string
  sipPort: number
  tlsPort: number | null
  phonePort: number | null
  /** Control port of rtpengine on the loopback. */
  rtpenginePort: number
  mediaPorts: PortRange
  /** For tests that kill a process. */
  kamailioPid(): number | undefined
  rtpenginePid(): number | undefined
  close(): Promise<void>
}

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 5_000
const RESTART_AFTER_MS = 200
const MEDIA_LOSS_TIMEOUT_MS = 60_000
const MAX_ERROR_LINES = 12
const MAX_LOG_BYTES = 20_000_000
const LOG_CHECK_INTERVAL_MS = 60_000
const MEDIA_CHECK_INTERVAL_MS = 1_000

export async function startSwitch(options: SwitchOptions): Promise<RunningSwitch> {
  for (let triesLeft = MAX_STARTS - 1; ; triesLeft--)
    try {
      return await startOnce(options)
    } catch (error) {
      if (triesLeft === 0 || !isMediaPortTaken(error)) throw error
    }
}

const MAX_STARTS = 3

/** Another program took the port for rtpengine's commands after it was found to be free. The next start chooses another one. */
const isMediaPortTaken = (error: unknown): boolean =>
  error instanceof UserError && /NG control connection port .*Address already in use/.test(error.message)

async function startOnce(options: SwitchOptions): Promise<RunningSwitch> {
  const claimed = await claimMediaPorts(options.mediaPorts ?? FALLBACK_RANGES)
  try {
    return await startWith(options, claimed)
  } catch (error) {
    await claimed.release()
    throw error
  }
}

/**
 * rtpengine lets its sockets share a port, and the one that was opened last gets the packets. A port for audio must therefore never be
 * the one for commands, of this rtpengine or of another one: unless it is given, commands get the first port of the range.
 */
function portsOf({ rtpenginePort }: SwitchOptions, { from, to }: PortRange) {
  if (rtpenginePort === undefined) return { commandPort: from, audioPorts: { from: from + 2, to } }
  if (rtpenginePort >= from && rtpenginePort <= to)
    throw new UserError(
      `SIP_RTPENGINE_PORT (${rtpenginePort}) must not be one of SIP_MEDIA_PORTS (${from}-${to}).`,
    )
  return { commandPort: rtpenginePort, audioPorts: { from, to } }
}

async function startWith(options: SwitchOptions, mediaPorts: ClaimedPorts): Promise<RunningSwitch> {
  const { runFolder } = options
  const { commandPort, audioPorts } = portsOf(options, mediaPorts)
  const unprivileged = await dropPrivileges(runFolder)
  const certificate = await certificateFor(runFolder, options)
  const definitions = await definitionsFor(options, certificate, commandPort)
  const configuration = join(runFolder, 'kamailio.cfg')
  await createDatabase(definitions.database)
  await writeFile(configuration, definitions.text, { mode: 0o600 })
  await copyRoutes(runFolder)
  await unprivileged.chownRunFolder()

  const running: Supervised[] = []
  const logTimer = setInterval(() => rotateLogs().catch(reportError), LOG_CHECK_INTERVAL_MS).unref()
  const mediaTimer = setInterval(() => restartHungMedia().catch(reportError), MEDIA_CHECK_INTERVAL_MS).unref()
  let silentChecks = 0
  const startedAt = Date.now()
  try {
    if (commandPort === mediaPorts.from) await mediaPorts.releaseFirst()
    // Kamailio probes rtpengine at startup and disables it for a while if it does not answer.
    run('rtpengine', rtpengineArguments(definitions, audioPorts), () =>
      reportMediaLoss('/media-lost', definitions.silencePort, Date.now()),
    )
    await until(() => answersPing(definitions.mediaPort))
    run('kamailio', kamailioArguments(options, configuration))
    await until(() => answersOptions(definitions.probeAddress, options.sipPort))
    await until(() => acceptsConnections(definitions.controlPort))
    // Saved calls of before this start have no audio either.
    await reportMediaLoss('/media-stopped', definitions.silencePort, startedAt)
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
    rtpenginePort: definitions.mediaPort,
    mediaPorts,
    kamailioPid: () => running.at(-1)?.current().pid,
    rtpenginePid: () => running[0]?.current().pid,
    close,
  }

  function launch(program: string, args: string[]): ChildProcess {
    const log = openSync(join(runFolder, `${program}.log`), 'a')
    const path = pathOf(program) ?? program
    const command = program === 'kamailio' ? withBatchScheduling(path, args) : ([path, args] as const)
    // Its own process group: Ctrl-C reaches only the launcher, and `killGroup` ends the children of a killed Kamailio.
    try {
      return spawn(...unprivileged.command(...command), {
        cwd: runFolder,
        detached: true,
        stdio: ['ignore', log, log],
      })
    } finally {
      closeSync(log)
    }
  }

  function run(program: string, args: string[], onExit?: () => void): void {
    running.push(supervise(program, () => launch(program, args), onExit))
  }

  async function until(isReady: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + START_TIMEOUT_MS; !(await isReady()); await pause(25)) {
      for (const { name, current } of running)
        if (hasEnded(current())) throw await startError(name, 'exited during startup')
      if (Date.now() > deadline) throw await startError(running.at(-1)?.name ?? '', 'does not respond')
    }
  }

  async function startError(program: string, problem: string): Promise<UserError> {
    const log = await readFile(join(runFolder, `${program}.log`), 'utf8').catch(() => '')
    // The first errors after the last start; later ones are consequences.
    const lines = log
      .slice(Math.max(log.lastIndexOf('Listening on'), 0))
      .trim()
      .split('\n')
    const errors = lines.filter((line) => /ERROR|CRITICAL|ERR:|CRIT:|error/.test(line))
    const excerpt = (errors.length > 0 ? errors : lines).slice(0, MAX_ERROR_LINES)
    return new UserError(
      `Could not start the switch: ${program} ${problem}. From its log:\n${excerpt.join('\n')}`,
    )
  }

  /** Unauthenticated requests write log lines; the size limit keeps them from filling the disk. */
  async function rotateLogs(): Promise<void> {
    for (const { name } of running) await rotateLog(join(runFolder, `${name}.log`), MAX_LOG_BYTES)
  }

  /** rtpengine can deadlock: it goes on with its calls, but takes no commands. */
  async function restartHungMedia(): Promise<void> {
    silentChecks = (await answersPing(definitions.mediaPort)) ? 0 : silentChecks + 1
    if (silentChecks * MEDIA_CHECK_INTERVAL_MS < definitions.mediaHangsForSeconds * 1_000) return
    silentChecks = 0
    process.stderr.write(
      'rtpengine takes no commands and is restarted. Its calls lose their audio and end.\n',
    )
    running[0]?.current().kill('SIGKILL')
  }

  async function close(): Promise<void> {
    clearInterval(logTimer)
    clearInterval(mediaTimer)
    for (const program of running.splice(0).reverse()) await program.stop()
    await mediaPorts.release()
  }
}

const reportError = (error: unknown) =>
  process.stderr.write(`switch: ${error instanceof Error ? error.stack : error}\n`)

type Supervised = { name: string; current(): ChildProcess; stop(): Promise<void> }

/**
 * A restarted rtpengine has lost all its calls: they have no audio, and it does not report them as silent. This reports the loss to
 * Kamailio, and retries while Kamailio itself is restarting. A crash (`/media-lost`) also raises an alert.
 */
async function reportMediaLoss(
  path: '/media-lost' | '/media-stopped',
  silencePort: number,
  lostAt: number,
): Promise<void> {
  for (
    const deadline = Date.now() + MEDIA_LOSS_TIMEOUT_MS;
    Date.now() < deadline;
    await pause(RESTART_AFTER_MS)
  ) {
    const response = await fetch(`http://127.0.0.1:${silencePort}${path}`, {
      method: 'POST',
      body: String(lostAt),
      headers: { 'content-type': 'text/plain' },
      signal: AbortSignal.timeout(2_000),
    }).catch(() => null)
    if (response?.ok) return
  }
}

/** Starts a program and restarts it whenever it exits. */
function supervise(name: string, start: () => ChildProcess, onExit: () => void = () => {}): Supervised {
  let isStopping = false
  let isRunning = false
  let child = startChild()
  return { name, current: () => child, stop }

  function startChild(): ChildProcess {
    const started = start()
    started.once('spawn', () => {
      isRunning = true
    })
    started.once('error', () => {
      if (started.pid === undefined) void restart()
    })
    started.once('exit', () => {
      killGroup(started)
      if (!isStopping && isRunning) onExit()
      void restart()
    })
    return started
  }

  /** A start fails if a full disk has no room for the log, or for lack of memory. It is repeated until it succeeds. */
  async function restart(): Promise<void> {
    for (let isReported = false; ; isReported = true) {
      await pause(RESTART_AFTER_MS)
      if (isStopping || !isRunning) return
      try {
        child = startChild()
        return
      } catch (error) {
        if (!isReported) reportError(error)
      }
    }
  }

  async function stop(): Promise<void> {
    isStopping = true
    if (child.pid === undefined || hasEnded(child)) return
    const ended = new Promise<true>((resolve) => child.once('exit', () => resolve(true)))
    child.kill('SIGTERM')
    const isClean = await Promise.race([ended, pause(STOP_TIMEOUT_MS, false, { ref: false })])
    if (!isClean) killGroup(child)
    await ended
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** Orphaned children would keep the ports open. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is already empty.
  }
}

/**
 * Runs Kamailio with batch scheduling, so that it does not preempt other processes for each message. This saves 5% of the CPU time
 * per call under full load. Audio is not affected: rtpengine handles it.
 */
export function withBatchScheduling(program: string, args: readonly string[]): [string, string[]] {
  const batch = ['--batch', '0', program, ...args]
  const isAllowed = spawnSync('chrt', ['--batch', '0', 'true'], { stdio: 'ignore' }).status === 0
  return isAllowed ? ['chrt', batch] : [program, [...args]]
}

function kamailioArguments(options: SwitchOptions, configuration: string): string[] {
  return [
    ...['-DD', '-E', '-f', configuration, '-Y', options.runFolder, '-w', options.runFolder],
    // `fm` is the memory manager without debug bookkeeping. Unused shared memory costs nothing. When it runs short, Kamailio
    // becomes very slow instead of refusing requests, so the limit is high.
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
    ...[`--timeout=${silenceSeconds}`, '--silent-timeout=3600', '--delete-delay=0'],
    `--offer-timeout=${TARGET_SECONDS}`,
    ...[`--b2b-url=http://127.0.0.1:${silencePort}`, '--xmlrpc-format=2'],
    // With several RTP sources, `heuristic` prefers the address in the SDP; see media.cfg.
    ...['--endpoint-learning=heuristic', '--num-threads=2', '--media-num-threads=1'],
  ]
}

type Wrapper = {
  command(program: string, args: string[]): [string, string[]]
  /** Makes the switch's user the owner of the run folder's files. */
  chownRunFolder(): Promise<void>
}

/**
 * Runs the switch as an ordinary system user if the launcher runs as root. Two capabilities remain: reading any folder, because the
 * repository may be in /root, and opening ports below 1024.
 */
async function dropPrivileges(runFolder: string): Promise<Wrapper> {
  await mkdir(runFolder, { recursive: true })
  await chmod(runFolder, 0o700)
  const endWithParent = ['--pdeathsig', 'TERM']
  if (process.getuid?.() !== 0)
    return {
      command: (program, args) => ['setpriv', [...endWithParent, program, ...args]],
      chownRunFolder: async () => {},
    }
  const user = await systemUser()
  const capabilities = '+dac_read_search,+net_bind_service'
  return {
    command: (program, args) => [
      'setpriv',
      [
        ...[`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...endWithParent],
        ...[`--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`],
        ...[program, ...args],
      ],
    ],
    async chownRunFolder() {
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
  throw new UserError(
    'The switch does not run as root. Create a system user named kamailio, or start Trunkline as an ordinary user.',
  )
}
