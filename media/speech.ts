import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { normalize } from './loudness.ts'
import { resample } from './resample.ts'
import { readWav } from './wav.ts'

export type SpeechOptions = {
  /** Programs by name or path, for tests. */
  readonly flite?: string
  readonly espeak?: string
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 20_000
const MAX_TEXT = 5_000
/** The most children at once; others wait. */
const MAX_CHILDREN = 2

let running = 0
const waiting: (() => void)[] = []

/**
 * Speaks a text with Debian's `flite` for English and `espeak-ng` for other languages (a code such as `de`). Returns 8,000 samples per
 * second, or null if the program is missing, fails, or says nothing.
 */
export async function speak(
  text: string,
  language: string,
  { flite = 'flite', espeak = 'espeak-ng', timeoutMs = TIMEOUT_MS }: SpeechOptions = {},
): Promise<Int16Array | null> {
  const spoken = text.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_TEXT)
  if (!/^[a-z]{2,3}(-[a-z]{2,4})?$/i.test(language) || !/[\p{L}\p{N}]/u.test(spoken)) return null
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-speech-'))
  const input = join(folder, 'text')
  const file = join(folder, 'speech.wav')
  try {
    await writeFile(input, `${spoken}\n`)
    const isEnglish = /^en\b/i.test(language)
    const isDone =
      (isEnglish && (await run(flite, ['-voice', 'slt', '-f', input, '-o', file], timeoutMs))) ||
      (await run(espeak, ['-v', language, '-b', '1', '-f', input, '-w', file], timeoutMs))
    if (!isDone) return null
    const wav = readWav(await readFile(file))
    return wav.ok ? normalize(await resample(wav.samples, wav.rate)) : null
  } catch {
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns whether the program ended well. No shell is involved. */
async function run(program: string, args: string[], timeoutMs: number): Promise<boolean> {
  if (running >= MAX_CHILDREN) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  try {
    return await new Promise((resolve) => {
      const child = spawn(program, args, {
        stdio: 'ignore',
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
      })
      child.once('error', () => resolve(false))
      child.once('exit', (code) => resolve(code === 0))
    })
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}
