import { mkdtemp, readFile, rename, rm, symlink, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openLogFile } from './log-file.ts'
import { createLogger } from './logger.ts'

async function place(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-log-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'trunkline.log')
}

const linesOf = async (file: string) =>
  (await readFile(file, 'utf8').catch(() => ''))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

it('counts lines lost to a full disk and reports them when there is space', async () => {
  const file = await place()
  await symlink('/dev/full', file)
  const log = openLogFile(file)
  const logger = createLogger({ level: 'info', file }, log)
  for (let line = 0; line < 1_000; line++) logger.info({ line }, 'lost line')
  await expect.poll(log.lost, { timeout: 20_000 }).toBe(1_000)
  // Frees space.
  await unlink(file)
  log.reopen()
  logger.info('there is space')
  await expect
    .poll(async () => (await linesOf(file)).map(({ msg, lines }) => [msg, lines]), { timeout: 20_000 })
    .toEqual([
      ['there is space', undefined],
      ['log lines were lost', 1_000],
    ])
})

it('reopens the file after it was moved', async () => {
  const file = await place()
  const log = openLogFile(file)
  log.write('{"msg":"before"}\n')
  await expect.poll(() => linesOf(file)).toEqual([{ msg: 'before' }])
  await rename(file, `${file}.1`)
  log.reopen()
  log.write('{"msg":"after"}\n')
  await expect.poll(() => linesOf(file)).toEqual([{ msg: 'after' }])
  expect(await linesOf(`${file}.1`)).toEqual([{ msg: 'before' }])
})

it('keeps the order of lines in large batches and flushes pending lines', async () => {
  const file = await place()
  const log = openLogFile(file)
  const padding = 'x'.repeat(1_000)
  for (let line = 0; line < 2_000; line++) log.write(`${JSON.stringify({ line, padding })}\n`)
  await expect.poll(async () => (await linesOf(file)).length, { timeout: 20_000 }).toBe(2_000)
  expect((await linesOf(file)).map(({ line }) => line)).toEqual(Array.from({ length: 2_000 }, (_, n) => n))
  expect(log.lost()).toBe(0)
})

it('reports a file that cannot be opened, with the name of the setting', () => {
  expect(() => openLogFile('/dev/null/trunkline.log')).toThrow(
    /^The log file \/dev\/null\/trunkline.log cannot be opened: .* Choose another one with LOG_FILE.$/,
  )
})
