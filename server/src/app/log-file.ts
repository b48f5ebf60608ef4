import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, write, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** The log file cannot be opened. */
export class LogFault extends Error {}

/** Memory limit for pending lines. Lines beyond it are dropped and counted. */
const MAX_WAITING_BYTES = 8 * 2 ** 20
const MAX_AT_ONCE_BYTES = 256 * 2 ** 10
const RETRY_MS = 1_000

export type LogFile = {
  write(line: string): void
  /** Reopens the file by name, after log rotation. */
  reopen(): void
  /** Writes pending lines synchronously. */
  flush(): void
  /** Number of dropped lines. */
  lost(): number
}

/**
 * Writes log lines to a file or standard output. A full disk or a closed pipe drops lines but does not end the process. The number of
 * dropped lines is logged when writing works again.
 */
export function openLogFile(file: string | null): LogFile {
  let fd = file === null ? 1 : openFile(file)
  let waiting: string[] = []
  let waitingBytes = 0
  let isWriting = false
  let lost = 0
  let unreported = 0
  let lastFault = ''
  let retry: NodeJS.Timeout | undefined

  function next(): void {
    if (isWriting || waiting.length === 0 || retry) return
    const lines = takeSome()
    isWriting = true
    writeWhole(fd, Buffer.from(lines.join('')), (error, rest) => {
      isWriting = false
      if (error?.code === 'EAGAIN') {
        // A slow pipe can accept part of a line. The rest goes first.
        waiting.unshift(rest)
        waitingBytes += rest.length
        wait(RETRY_MS / 10)
      } else if (error) {
        lose(lines.length, error.code ?? error.message)
        wait(RETRY_MS)
      } else tellLost()
      next()
    })
  }

  function takeSome(): string[] {
    let count = 0
    for (let bytes = 0; count < waiting.length && bytes < MAX_AT_ONCE_BYTES; count++)
      bytes += waiting[count]?.length ?? 0
    const lines = waiting.slice(0, count)
    waiting = waiting.slice(count)
    waitingBytes -= lines.reduce((sum, line) => sum + line.length, 0)
    return lines
  }

  function wait(ms: number): void {
    retry = setTimeout(() => {
      retry = undefined
      next()
    }, ms).unref()
  }

  function lose(lines: number, fault: string): void {
    lost += lines
    unreported += lines
    lastFault = fault
  }

  function tellLost(): void {
    if (unreported === 0) return
    const entry = { level: 40, time: new Date().toISOString(), lines: unreported, fault: lastFault }
    unreported = 0
    add(`${JSON.stringify({ ...entry, msg: 'log lines were lost' })}\n`)
  }

  function add(line: string): void {
    if (waitingBytes + line.length > MAX_WAITING_BYTES) lose(1, 'ENOBUFS')
    else {
      waiting.push(line)
      waitingBytes += line.length
    }
  }

  return {
    write(line) {
      add(line)
      next()
    },
    reopen() {
      if (file === null) return
      const old = fd
      try {
        fd = openFile(file)
      } catch (error) {
        lose(1, error instanceof Error ? error.message : String(error))
        return
      }
      // A pending write still uses the old file descriptor.
      const close = () => (isWriting ? setTimeout(close, 50).unref() : closeSync(old))
      close()
    },
    flush() {
      const lines = waiting
      waiting = []
      waitingBytes = 0
      try {
        if (lines.length > 0) writeSync(fd, lines.join(''))
        if (file !== null) fsyncSync(fd)
      } catch (error) {
        lose(lines.length, error instanceof Error ? error.message : String(error))
      }
    },
    lost: () => lost,
  }
}

function openFile(file: string): number {
  try {
    if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true })
    return openSync(file, 'a')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new LogFault(`The log file ${file} cannot be opened: ${why}. Choose another one with LOG_FILE.`)
  }
}

type WriteFault = (NodeJS.ErrnoException & Error) | null

/** A full disk can accept part of the data. Writing the rest then returns the error. */
function writeWhole(fd: number, bytes: Buffer, done: (error: WriteFault, rest: string) => void): void {
  write(fd, bytes, (error, written) => {
    if (!error && written < bytes.length) writeWhole(fd, bytes.subarray(written), done)
    else done(error, error ? bytes.toString() : '')
  })
}
