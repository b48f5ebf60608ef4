import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from './build-web.ts'
import { ensureChromium } from './chromium.ts'
import { Complaint } from './complaint.ts'
import { installSwitch, isSippInstalled, isSwitchInstalled } from './install-switch.ts'
import { root } from './paths.ts'

type Counts = { passed: number; failed: number }
type Part = (reports: string) => Promise<Counts>

/** The parts of the test run, in order: what is quick and cheap to mend comes first. */
const parts: Record<string, Part> = {
  style: () => check('Format and lint', 'biome', ['check', '.']),
  types: async () =>
    sum([
      await check('Types of the server side', 'tsc', ['-p', '.']),
      await check('Types of the web app', 'tsc', ['-p', 'web']),
    ]),
  unit: (reports) => vitest('unit', reports),
  server: (reports) => vitest('server', reports),
  sandbox: (reports) => vitest('sandbox', reports),
  launcher: async (reports) => {
    await buildWeb()
    return vitest('launcher', reports)
  },
  sip: async (reports) => {
    if (!isSwitchInstalled() || !isSippInstalled()) await installSwitch(['--for-tests'])
    await buildWeb()
    return vitest('sip', reports)
  },
  browser: async (reports) => {
    if (!isSwitchInstalled()) await installSwitch()
    await buildWeb()
    return playwright(reports, await ensureChromium())
  },
}

/** Runs the parts asked for, or all, and ends in the one line that counts. */
export async function test(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in parts))
  if (unknown.length > 0)
    throw new Complaint(`There is no test part "${unknown[0]}". Parts: ${Object.keys(parts).join(' ')}`)
  const reports = await mkdtemp(join(tmpdir(), 'trunkline-test-'))
  const counts: Counts[] = []
  for (const [name, run] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue
    process.stdout.write(`\n== ${name}\n`)
    counts.push(await run(reports).catch(reportFailure))
  }
  await rm(reports, { recursive: true, force: true })
  const { passed, failed } = sum(counts)
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
}

/** A part that could not run at all counts as one failure. */
function reportFailure(error: unknown): Counts {
  process.stdout.write(`${error instanceof Complaint ? error.message : (error as Error).stack}\n`)
  return { passed: 0, failed: 1 }
}

const sum = (counts: Counts[]): Counts => ({
  passed: counts.reduce((total, { passed }) => total + passed, 0),
  failed: counts.reduce((total, { failed }) => total + failed, 0),
})

async function check(label: string, program: string, args: string[]): Promise<Counts> {
  const code = await run(join(root, 'node_modules/.bin', program), args)
  process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'}: ${label}\n`)
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }
}

async function vitest(project: string, reports: string): Promise<Counts> {
  const report = join(reports, `${project}.json`)
  const code = await run(process.execPath, [
    ...[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', project],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  ])
  const { numPassedTests, numFailedTests } = await readReport(report)
  return honest({ passed: numPassedTests ?? 0, failed: numFailedTests ?? 0 }, code)
}

async function playwright(reports: string, chromium: string): Promise<Counts> {
  const report = join(reports, 'browser.json')
  const code = await run(
    process.execPath,
    [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--config', 'e2e/playwright.config.ts'],
    { TRUNKLINE_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  )
  const { stats } = await readReport(report)
  return honest(
    { passed: stats?.expected ?? 0, failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0) },
    code,
  )
}

type Report = {
  numPassedTests?: number
  numFailedTests?: number
  stats?: { expected: number; unexpected: number; flaky: number }
}

const readReport = async (file: string): Promise<Report> =>
  JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))

/** A runner that failed without a failed test (a file that does not load, a crash) has failed all the same. */
const honest = ({ passed, failed }: Counts, code: number): Counts => ({
  passed,
  failed: code !== 0 && failed === 0 ? 1 : failed,
})

function run(program: string, args: string[], extra: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    // Tests choose their profile themselves: what this shell has set must not reach them.
    const environment = { ...process.env, ...extra, NODE_ENV: '', DATABASE_URL: '', PORT: '' }
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: environment })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
