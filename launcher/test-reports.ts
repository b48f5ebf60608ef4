import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './paths.ts'

export type Failure = { test: string; reason: string }
export type Timing = { test: string; seconds: number }
export type Outcome = { passed: number; failures: Failure[]; timings: Timing[] }

export async function readVitestReport(file: string): Promise<Outcome> {
  const { numPassedTests = 0, testResults = [] } = await readJson<VitestReport>(file)
  return {
    passed: numPassedTests,
    failures: testResults.flatMap(failuresOfFile),
    timings: testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => ({
        test: `${relative(root, name)} > ${fullName}`,
        seconds: (duration ?? 0) / 1000,
      })),
    ),
  }
}

/** A story that passed only after a retry counts as failed. */
export async function readPlaywrightReport(file: string): Promise<Outcome> {
  const { stats, suites = [], errors = [] } = await readJson<PlaywrightReport>(file)
  return {
    passed: stats?.expected ?? 0,
    failures: [
      ...suites.flatMap((suite) => failuresOfSuite(suite, [])),
      ...errors.map(({ message }) => ({ test: 'outside any story', reason: brief(message) })),
    ],
    timings: suites.flatMap((suite) => timingsOfSuite(suite, [])),
  }
}

type VitestReport = { numPassedTests?: number; testResults?: VitestFile[] }
type VitestFile = {
  name: string
  status: string
  message: string
  assertionResults: {
    fullName: string
    status: string
    duration?: number | null
    failureMessages?: string[] | null
  }[]
}

function failuresOfFile({ name, status, message, assertionResults }: VitestFile): Failure[] {
  const file = relative(root, name)
  const failed = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages }) => ({
      test: `${file} > ${fullName}`,
      reason: brief(failureMessages?.[0]),
    }))
  // A file that fails to load, or whose setup fails, has no failed test.
  return status === 'failed' && failed.length === 0 ? [{ test: file, reason: brief(message) }] : failed
}

type PlaywrightReport = {
  stats?: { expected: number }
  suites?: PlaywrightSuite[]
  errors?: { message?: string }[]
}
type PlaywrightResult = { duration: number; error?: { message?: string }; stdout?: { text?: string }[] }
type PlaywrightSuite = {
  title: string
  specs: {
    title: string
    tests: { status: string; results: PlaywrightResult[] }[]
  }[]
  suites?: PlaywrightSuite[]
}

function failuresOfSuite({ title, specs, suites = [] }: PlaywrightSuite, above: string[]): Failure[] {
  const path = [...above, title]
  return [
    ...specs.flatMap((spec) =>
      spec.tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ results }) => ({
          test: [...path, spec.title].join(' > '),
          reason: reasonOf(results.find(({ error }) => error)),
        })),
    ),
    ...suites.flatMap((suite) => failuresOfSuite(suite, path)),
  ]
}

/** A failed story prints what its page shows (e2e/support/story.ts). */
function reasonOf(result: PlaywrightResult | undefined): string {
  const printed = (result?.stdout ?? []).map(({ text }) => text ?? '').join('')
  return `${brief(result?.error?.message)}${printed && ` | ${brief(printed)}`}`
}

function timingsOfSuite({ title, specs, suites = [] }: PlaywrightSuite, above: string[]): Timing[] {
  const path = [...above, title]
  return [
    ...specs.map((spec) => ({
      test: [...path, spec.title].join(' > '),
      seconds:
        spec.tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
    ...suites.flatMap((suite) => timingsOfSuite(suite, path)),
  ]
}

const MAX_REASON_LENGTH = 300

/** The start of a message, on one line. */
const brief = (message = 'no reason given'): string =>
  stripVTControlCharacters(message).replace(/\s+/g, ' ').trim().slice(0, MAX_REASON_LENGTH)

const readJson = async <T>(file: string): Promise<Partial<T>> =>
  JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))
