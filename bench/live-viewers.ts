import { connect, type Socket } from 'node:net'
import { parentPort } from 'node:worker_threads'

/**
 * Many viewers in one worker thread. They use raw sockets to keep the reading cost low. Each event contains the time of its cause, and
 * the viewer records the latency.
 */
export type ViewerCommand =
  | { type: 'open'; port: number; path: string; tokens: string[] }
  | { type: 'begin' }
  | { type: 'report' }
  | { type: 'close' }

export type ViewerReport = { type: 'opened' } | { type: 'report'; tookMs: Float64Array }

/** Microseconds since 1970, comparable between threads and processes. */
export const nowMicros = (): number => Math.round((performance.timeOrigin + performance.now()) * 1_000)

export const MARK = '"sip_account":"t'

if (parentPort) view(parentPort)

function view(port: NonNullable<typeof parentPort>): void {
  const sockets: Socket[] = []
  let took: number[] = []

  function read(text: string, at: number): void {
    for (let from = text.indexOf(MARK); from >= 0; from = text.indexOf(MARK, from + 1))
      took.push((at - Number.parseInt(text.slice(from + MARK.length), 10)) / 1_000)
  }

  /** Resolves on the first event. */
  const open = (to: number, path: string, token: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(to, '127.0.0.1')
      let rest = ''
      socket.setNoDelay(true)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`)
      socket.setEncoding('latin1')
      socket.on('error', reject)
      socket.on('data', (text: string) => {
        const at = nowMicros()
        const whole = rest + text
        const end = whole.lastIndexOf('\n\n') + 2
        rest = end < 2 ? whole : whole.slice(end)
        if (end < 2) return
        read(whole.slice(0, end), at)
        resolve()
      })
      sockets.push(socket)
    })

  port.on('message', async (command: ViewerCommand) => {
    if (command.type === 'open') {
      const { tokens } = command
      for (let from = 0; from < tokens.length; from += 50)
        await Promise.all(
          tokens.slice(from, from + 50).map((token) => open(command.port, command.path, token)),
        )
      port.postMessage({ type: 'opened' } satisfies ViewerReport)
    }
    if (command.type === 'begin') took = []
    if (command.type === 'report') {
      const tookMs = Float64Array.from(took)
      port.postMessage({ type: 'report', tookMs } satisfies ViewerReport, [tookMs.buffer])
    }
    if (command.type === 'close') for (const socket of sockets.splice(0)) socket.destroy()
  })
}
