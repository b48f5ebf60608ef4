import { createSocket, type Socket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import type { Logger } from 'pino'
import type { SipCapture, SipCaptureListener } from '../platform/sip-capture.ts'

type HepListenerOptions = {
  host: string
  port: number
  logger: Logger
  onCapture: (capture: SipCapture) => void
  retryAfterMs?: number
}

/** Limited by net.core.rmem_max. */
const RECEIVE_BUFFER_BYTES = 8 * 1024 * 1024
const RETRY_AFTER_MS = 5_000

/**
 * Receives the SIP messages of switches as HEP3 datagrams. Only one process can listen on the port. Another one retries, and takes over
 * when the first one ends. The log tells once that the port is in use.
 */
export function listenForHep(options: HepListenerOptions): SipCaptureListener {
  const { host, port, logger, onCapture, retryAfterMs = RETRY_AFTER_MS } = options
  let socket: Socket | null = null
  let retry: NodeJS.Timeout | undefined
  let isClosed = false
  let isReported = false

  function open(): void {
    const opened = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    opened.on('error', (error) => {
      logger[isReported ? 'debug' : 'warn']({ err: error, host, port }, 'cannot listen for SIP messages')
      isReported = true
      opened.close()
      socket = null
      if (!isClosed) retry = setTimeout(open, retryAfterMs).unref()
    })
    opened.on('message', (bytes) => {
      const capture = readHep(bytes)
      if (capture) onCapture(capture)
    })
    opened.bind(port, host, () => {
      opened.setRecvBufferSize(RECEIVE_BUFFER_BYTES)
      isReported = false
      logger.info({ host, port }, 'listening for SIP messages')
    })
    socket = opened
  }
  open()

  return {
    lost: () => (socket ? readDrops(port) : 0),
    close: () =>
      new Promise((resolve) => {
        isClosed = true
        clearTimeout(retry)
        if (socket) socket.close(() => resolve())
        else resolve()
      }),
  }
}

/** The last column of the kernel's list of sockets. */
function readDrops(port: number): number {
  const local = new RegExp(`:${port.toString(16).toUpperCase().padStart(4, '0')}$`)
  try {
    return ['/proc/net/udp', '/proc/net/udp6']
      .flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1))
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => local.test(columns[1] ?? ''))
      .reduce((sum, columns) => sum + Number(columns.at(-1)), 0)
  } catch {
    return 0
  }
}

/** Types of HEP3 chunks. */
const SOURCE_4 = 3
const TARGET_4 = 4
const SOURCE_6 = 5
const TARGET_6 = 6
const SOURCE_PORT = 7
const TARGET_PORT = 8
const SECONDS = 9
const MICROSECONDS = 10
const PROTOCOL = 11
/** The switch puts its id here. */
const AUTH_KEY = 14
const PAYLOAD = 15
const SIP = 1

/** Null if the datagram is not a SIP message in HEP3. */
export function readHep(bytes: Buffer): SipCapture | null {
  if (bytes.length < 6 || bytes.toString('latin1', 0, 4) !== 'HEP3') return null
  const chunks = new Map<number, Buffer>()
  for (let at = 6; at + 6 <= bytes.length; ) {
    const [vendor, type, length] = [
      bytes.readUInt16BE(at),
      bytes.readUInt16BE(at + 2),
      bytes.readUInt16BE(at + 4),
    ]
    if (length < 6 || at + length > bytes.length) return null
    if (vendor === 0) chunks.set(type, bytes.subarray(at + 6, at + length))
    at += length
  }
  const number = (type: number) => {
    const chunk = chunks.get(type)
    return chunk && chunk.length > 0 && chunk.length <= 4 ? chunk.readUIntBE(0, chunk.length) : 0
  }
  const address = (type4: number, type6: number) => {
    const [four, six] = [chunks.get(type4), chunks.get(type6)]
    if (four?.length === 4) return [...four].join('.')
    return six?.length === 16 ? readAddress6(six) : ''
  }
  const text = chunks.get(PAYLOAD)?.toString('utf8') ?? ''
  if (number(PROTOCOL) !== SIP || text === '') return null
  return {
    switchId: chunks.get(AUTH_KEY)?.toString('utf8') ?? '',
    at: number(SECONDS) * 1000 + number(MICROSECONDS) / 1000,
    source: { address: address(SOURCE_4, SOURCE_6), port: number(SOURCE_PORT) },
    target: { address: address(TARGET_4, TARGET_6), port: number(TARGET_PORT) },
    text,
  }
}

/** The shortest notation, as in the call record. */
function readAddress6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}
