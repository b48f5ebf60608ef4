import { spawn } from 'node:child_process'
import { access, constants, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from './build-web.ts'
import { ensureChromium, missingChromium } from './chromium.ts'
import { ensurePrograms, type Program, SWITCH, VOICES } from './debian.ts'
import { root } from './paths.ts'
import { type Failure, type Outcome, readPlaywrightReport, readVitestReport } from './test-reports.ts'
import { TELEPHONE_WORKERS, WORKERS, workersFor } from './test-workers.ts'
import { UserError } from './user-error.ts'

type Part = {
  /** Debian programs that the tests run; installed if missing. */
  programs?: Program[]
  run(reports: string): Promise<Outcome>
}

/** The parts run in this order: the fastest first. */
const parts: Record<string, Part> = {
  style: { run: () => check('Format and lint', 'biome', ['check', '.']) },
  types: {
    // One checker each: several in one process repeat much of their work.
    run: async () =>
      sum(
        await Promise.all([
          check('Types of the server side', 'tsc', ['-p', '.', '--checkers', '1']),
          check('Types of the web app', 'tsc', ['-p', 'web', '--checkers', '1']),
        ]),
      ),
  },
  unit: { programs: ['sipp', ...VOICES], run: (reports) => vitest('unit', reports) },
  server: { programs: ['promtool', ...VOICES], run: (reports) => vitest('server', reports) },
  sandbox: { run: (reports) => vitest('sandbox', reports) },
  launcher: {
    programs: ['openssl', 'nginx', 'caddy', 'pgbouncer'],
    run: async (reports) => {
      await buildWeb()
      return vitest('launcher', reports)
    },
  },
  sip: {
    programs: [...SWITCH, ...VOICES, 'sipp', 'baresip', 'linphonec', 'twinkle-console', 'ip', 'pgrep'],
    run: async (reports) => {
      await buildWeb()
      return vitest('sip', reports)
    },
  },
  browser: {
    programs: [...SWITCH, ...VOICES, 'sipp', 'baresip', 'linphonec', 'turnserver', 'ip', 'firefox-esr'],
    run: async (reports) => {
      const chromium = await ensureChromium()
      await buildWeb()
      return playwright(reports, chromium)
    },
  },
}

const SLOWEST_SHOWN = 10

/** `test` runs the given parts, or all, and prints a summary. */
export async function test(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in parts))
  if (unknown.length > 0)
    throw new UserError(`Unknown test part "${unknown[0]}". Choose from: ${Object.keys(parts).join(' ')}`)
  await access(root, constants.W_OK).catch(() => {
    throw new UserError(`The tests write into ${root}, which is not writable for you. Use your own clone.`)
  })
  const reports = await mkdtemp(join(tmpdir(), 'trunkline-test-'))
  const outcomes: (Outcome & { name: string; seconds: number; stolenPercent: number })[] = []
  const chosen = Object.entries(parts).filter(([name]) => names.length === 0 || names.includes(name))
  const installed = installInOrder(chosen.map(([, part]) => part))
  for (const [name, part] of chosen) {
    process.stdout.write(`\n== ${name}\n`)
    const started = performance.now()
    const before = await processorTime()
    const outcome = await runPart(part, reports, installed.get(part)).catch(couldNotRun)
    const seconds = Math.round((performance.now() - started) / 1000)
    outcomes.push({ ...outcome, name, seconds, stolenPercent: stolenPercent(before, await processorTime()) })
  }
  await rm(reports, { recursive: true, force: true })
  // The summary repeats all failures, because the output above is long.
  process.stdout.write('\n== summary\n')
  for (const { name, passed, failures, seconds, stolenPercent } of outcomes) {
    process.stdout.write(`${name}: ${passed} passed, ${failures.length} failed, ${seconds} s\n`)
    if (stolenPercent > 0)
      process.stdout.write(`  The host gave ${stolenPercent} % of the processor time to other machines.\n`)
    for (const { test, reason } of failures) process.stdout.write(`  FAILED ${test}: ${reason}\n`)
  }
  const { passed, failures, timings } = sum(outcomes)
  process.stdout.write('\nSlowest tests:\n')
  for (const { test, seconds } of timings.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN))
    process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${test}\n`)
  process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`)
  process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0
}

type ProcessorTime = { total: number; stolen: number }

/** Since the start of the machine, in hundredths of a second. */
async function processorTime(): Promise<ProcessorTime> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  const times = line.split(/\s+/).slice(1, 9).map(Number)
  return { total: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 }
}

/** A virtual machine that gets little processor time fails tests with timeouts. */
const stolenPercent = (before: ProcessorTime, after: ProcessorTime): number =>
  Math.round(((after.stolen - before.stolen) / Math.max(1, after.total - before.total)) * 100)

/**
 * Installs the programs of one part after the other while the first parts run, so that no part waits for the programs of a later
 * one. A failure is reported by the part that needs the program.
 */
function installInOrder(chosen: Part[]): Map<Part, Promise<void>> {
  const installed = new Map<Part, Promise<void>>()
  let previous = Promise.resolve()
  for (const part of chosen) {
    const programs = [...(part.programs ?? []), ...(part === parts.browser ? missingChromium() : [])]
    previous = previous.then(() => ensurePrograms(programs)).catch(() => {})
    installed.set(part, previous)
  }
  return installed
}

async function runPart(
  { programs, run }: Part,
  reports: string,
  installed?: Promise<void>,
): Promise<Outcome> {
  if (programs) {
    await installed
    await ensurePrograms(programs)
  }
  return run(reports)
}

/** A part that fails to run counts as one failure. */
function couldNotRun(error: unknown): Outcome {
  const reason = error instanceof UserError ? error.message : ((error as Error).stack ?? String(error))
  process.stdout.write(`${reason}\n`)
  return { passed: 0, failures: [{ test: 'could not run', reason }], timings: [] }
}

const sum = (outcomes: Outcome[]): Outcome => ({
  passed: outcomes.reduce((total, { passed }) => total + passed, 0),
  failures: outcomes.flatMap(({ failures }) => failures),
  timings: outcomes.flatMap(({ timings }) => timings),
})

async function check(label: string, program: string, args: string[]): Promise<Outcome> {
  const code = await run(join(root, 'node_modules/.bin', program), args)
  process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'}: ${label}\n`)
  return code === 0
    ? { passed: 1, failures: [], timings: [] }
    : { passed: 0, failures: [endedWith(code, label)], timings: [] }
}

async function vitest(project: string, reports: string): Promise<Outcome> {
  const report = join(reports, `${project}.json`)
  const workers = workersFor(project === 'sip' ? TELEPHONE_WORKERS : WORKERS)
  const code = await run(process.execPath, [
    ...[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', project],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`, `--maxWorkers=${workers}`],
  ])
  return withExitCode(await readVitestReport(report), code)
}

async function playwright(reports: string, chromium: string): Promise<Outcome> {
  const report = join(reports, 'browser.json')
  const code = await run(
    process.execPath,
    [
      ...[join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--config', 'e2e/playwright.config.ts'],
      `--workers=${workersFor(WORKERS)}`,
    ],
    { TRUNKLINE_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  )
  return withExitCode(await readPlaywrightReport(report), code)
}

/** A runner that exits with an error but reports no failed test (an error between tests, a crash) counts as one failure. */
const withExitCode = ({ passed, failures, timings }: Outcome, code: number): Outcome => ({
  passed,
  timings,
  failures: code !== 0 && failures.length === 0 ? [endedWith(code, 'the runner')] : failures,
})

const endedWith = (code: number, test: string): Failure => ({ test, reason: `exited with code ${code}` })

function run(program: string, args: string[], extra: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    // Each test sets its own profile; the shell's settings must not reach it.
    const environment = { ...process.env, ...extra, NODE_ENV: '', DATABASE_URL: '', PORT: '' }
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: environment })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
