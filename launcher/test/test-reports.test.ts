import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../paths.ts'
import { readPlaywrightReport, readVitestReport } from '../test-reports.ts'

test('reads every failure from a Vitest report, including a file that fails to load', async () => {
  const folder = await folderWith({
    'sums.test.js': `
      import { describe, expect, test } from 'vitest'
      test('adds', () => expect(1 + 1).toBe(2))
      describe('by mistake', () => test('subtracts', () => expect(2 - 1).toBe(3)))`,
    'broken.test.js': `throw new Error('never loads')`,
  })
  const report = join(folder, 'report.json')
  await run(['vitest/vitest.mjs', 'run', '--root', folder, '--reporter=json', `--outputFile.json=${report}`])
  const { passed, failures, timings } = await readVitestReport(report)
  expect(passed).toBe(1)
  expect(timings).toContainEqual({
    test: expect.stringMatching(/sums\.test\.js > adds$/),
    seconds: expect.any(Number),
  })
  expect(failures).toHaveLength(2)
  expect(failures).toContainEqual({
    test: expect.stringMatching(/sums\.test\.js > by mistake subtracts$/),
    reason: expect.stringContaining('expected 1 to be 3'),
  })
  expect(failures).toContainEqual({
    test: expect.stringMatching(/broken\.test\.js$/),
    reason: expect.stringContaining('never loads'),
  })
})

test('reads every failed story from a Playwright report, and errors outside any story', async () => {
  const folder = await folderWith({
    'walk.story.js': `
      import { expect, test } from '@playwright/test'
      test('walks', () => expect(1).toBe(1))
      test.describe('uphill', () => test('falls', () => {
        process.stdout.write('a stone')
        expect(1, 'on its feet').toBe(2)
      }))`,
    'broken.story.js': `throw new Error('never loads')`,
    'playwright.config.js': `
      export default { testDir: '.', testMatch: '*.story.js', outputDir: 'results', reporter: 'json' }`,
  })
  const report = join(folder, 'report.json')
  const play = (...stories: string[]) =>
    run(['@playwright/test/cli.js', 'test', '--config', folder, ...stories], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    })
  await play('walk')
  const walked = await readPlaywrightReport(report)
  expect(walked.passed).toBe(1)
  expect(walked.timings.map(({ test }) => test)).toEqual([
    'walk.story.js > walks',
    'walk.story.js > uphill > falls',
  ])
  expect(walked.failures).toEqual([
    {
      test: 'walk.story.js > uphill > falls',
      reason: expect.stringMatching(/on its feet.*Expected: 2.* \| a stone/),
    },
  ])
  await play()
  const broken = await readPlaywrightReport(report)
  expect(broken.failures).toContainEqual({
    test: 'outside any story',
    reason: expect.stringContaining('never loads'),
  })
})

/** Inside the repository, so that the test runners find their packages. */
async function folderWith(files: Record<string, string>): Promise<string> {
  await mkdir(join(root, '.cache'), { recursive: true })
  const folder = await mkdtemp(join(root, '.cache', 'reports-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** Runs a test runner with a clean environment. */
const run = ([script = '', ...args]: string[], extra: Record<string, string> = {}) => {
  const { PATH = '', HOME = '' } = process.env
  return new Promise<void>((resolve) => {
    execFile(process.execPath, [join(root, 'node_modules', script), ...args], {
      cwd: root,
      env: { PATH, HOME, ...extra },
    }).once('close', () => resolve())
  })
}
