import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import { pathOf } from '../../../launcher/programs.ts'
import { tone } from '../../../media/tones.ts'
import { writeWav } from '../../../media/wav.ts'
import { eventually } from '../eventually.ts'
import type { Account } from '../phone.ts'

export type SoftphoneOptions = {
  account: Account
  transport: 'udp' | 'tcp' | 'tls'
  /** Requires SRTP (SDES). */
  requiresSrtp: boolean
  host: string
  port: number
  /** Played instead of a plain tone, 8,000 samples per second. */
  speech?: Int16Array
}

/** A softphone from Debian. Each command waits until the program confirms it. */
export type Softphone = {
  call(number: string): Promise<void>
  /** Waits until it rings. */
  rings(): Promise<void>
  /** Answers the ringing call. */
  answer(): Promise<void>
  /** Waits until a ringing call is cancelled. */
  stopsRinging(): Promise<void>
  press(keys: string): void
  hold(): Promise<void>
  resume(): Promise<void>
  hangUp(): Promise<void>
  /** The program's output. */
  printed(): string
  /** The SIP messages in the program's log file, if it has one. */
  log(): Promise<string>
  close(): Promise<void>
}

/** A softphone in a test: its name, transport and speech, and how it starts. */
export type SoftphoneCase = [
  name: string,
  transport: SoftphoneOptions['transport'],
  speech: 'RTP' | 'SRTP',
  start: (options: SoftphoneOptions) => Promise<Softphone>,
]

/** The softphones that a test has started. They are closed after it. If it failed, their output is printed. */
export function softphonesForFile(): Softphone[] {
  const phones: Softphone[] = []
  afterEach(async ({ task }) => {
    for (const phone of phones.splice(0)) {
      if (task.result?.state === 'fail')
        process.stdout.write(`${task.name}:\n${phone.printed()}\n${await phone.log()}\n`)
      await phone.close()
    }
  })
  return phones
}

/** Runs a console program in its own home folder with a null sound device. */
export async function openConsole(
  program: string,
  {
    debianPackage,
    args,
    logFile,
  }: { debianPackage: string; args: (home: string) => string[]; logFile?: string },
  files: (home: string) => Record<string, string | Buffer>,
) {
  const path = pathOf(program)
  if (path === null)
    throw new Error(
      `${program} is not installed. Install the Debian package ${debianPackage}, or run ./trunkline test, which installs it.`,
    )
  const home = await mkdtemp(join(tmpdir(), `${program}-`))
  const silence = 'pcm.!default { type null }\nctl.!default { type null }\n'
  for (const [name, content] of Object.entries({ '.asoundrc': silence, ...files(home) })) {
    await mkdir(dirname(join(home, name)), { recursive: true })
    await writeFile(join(home, name), content)
  }
  const child = spawn(path, args(home), {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let printed = ''
  let read = 0
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      printed += bytes.toString('utf8')
    })
  child.stdin.on('error', () => {})
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))

  /** Waits for a match in the output after the previous match. */
  async function says(pattern: RegExp): Promise<void> {
    await eventually(() => {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${program} exited. Output:\n${printed}`)
      const found = pattern.exec(printed.slice(read))
      if (found) read += found.index + found[0].length
      return found
    }, `"${pattern.source}" from ${program}`).catch((error: Error) => {
      throw new Error(`${error.message}. Output:\n${printed.slice(-4_000)}`)
    })
  }

  return {
    printed: () => printed,
    log: async () => (logFile ? readFile(join(home, logFile), 'utf8').catch(() => '') : ''),
    says,
    /** The newest file whose name ends so. */
    async file(end: string): Promise<Buffer> {
      const found = (await readdir(home)).filter((name) => name.endsWith(end)).sort()
      return readFile(join(home, found.at(-1) ?? end))
    },
    type: (text: string) => void child.stdin.write(text),
    async close() {
      child.kill('SIGKILL')
      await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** What a softphone plays, as WAV. A plain tone if the test gives none. */
export const speechOf = ({ speech = tone({ hz: [382], ms: 20_000 }) }: SoftphoneOptions): Buffer =>
  writeWav([speech])
