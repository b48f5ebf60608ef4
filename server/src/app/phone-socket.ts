import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { PHONE_SOCKET_PATH } from '@trunkline/contract/phone'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Phones } from '../features/identity/phones/service.ts'
import { SECOND } from '../platform/clock.ts'
import { every } from '../platform/every.ts'
import { type Listener, listen } from '../platform/listen.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createUnansweredInvites, type UnansweredInvites } from './unanswered-invites.ts'

type Deps = {
  phones: Phones
  logger: Logger
  metrics: Metrics
  publicUrl: string
  databaseUrl: string
  /** WebSocket address of the switch, `host:port`. */
  switchAddress: string
}

type Line = {
  name: string
  browser: Duplex
  upstream: Socket
  invites: UnansweredInvites
  hasSaidGoodbye: boolean
  /** Bytes received since the last check, and number of checks without any. */
  bytes: number
  silentLooks: number
}

/** A browser with a lost connection can reconnect within this time. */
const GRACE_MS = 4 * SECOND
const KEEP_EVERY_MS = 10 * SECOND
/** The switch pings every few seconds, so a silent browser is disconnected. */
const MAX_SILENT_CHECKS = 3
/** Far above the traffic of calls. */
const MAX_BYTES = 400_000
/** Close code: the phone has ended, do not reconnect. */
const ENDED = 4001

/**
 * Proxies SIP over WebSocket from browsers to the switch. The path contains the name of the phone, so the switch refuses
 * other credentials on this connection.
 */
export function servePhoneSockets(app: FastifyInstance, deps: Deps): void {
  const { phones, logger, publicUrl, switchAddress } = deps
  const lines = new Map<string, Line>()
  let isClosing = false
  let listener: Listener | null = null
  const failed = (error: unknown) => logger.warn({ err: error }, 'browser phone update failed')
  deps.metrics.gauge({ name: 'trunkline_phone_sockets', help: 'Connected browser phones.' }, () => lines.size)
  const keeping = every(KEEP_EVERY_MS, keep, failed)

  app.server.on('upgrade', (request: IncomingMessage, browser: Duplex, head: Buffer) => {
    browser.on('error', () => {})
    take(request, browser, head).catch((error) => {
      failed(error)
      refuse(browser, '503 Service Unavailable')
    })
  })
  app.addHook('onReady', async () => {
    listener = listen({
      url: deps.databaseUrl,
      channels: { call_control: (change) => void look(change.replace('phone:', '')).catch(failed) },
      onListening: () => void keep().catch(failed),
      onError: failed,
    })
  })
  app.addHook('preClose', async () => {
    isClosing = true
    keeping.stop()
    for (const { browser, upstream } of lines.values()) {
      browser.destroy()
      upstream.destroy()
    }
    await listener?.close()
  })

  async function take(request: IncomingMessage, browser: Duplex, head: Buffer): Promise<void> {
    if (request.url !== PHONE_SOCKET_PATH) return refuse(browser, '404 Not Found')
    if (!isOwnOrigin(request, publicUrl)) return refuse(browser, '403 Forbidden')
    const [protocol, token = ''] = (request.headers['sec-websocket-protocol'] ?? '').split(/ *, */)
    const name = protocol === 'sip' ? await phones.connect(token) : null
    if (name === null || isClosing) return refuse(browser, '403 Forbidden')
    // Lost while the token was checked: it emits no further 'close'.
    if (browser.destroyed) return endLater(name)
    const { hostname, port } = new URL(`tcp://${switchAddress}`)
    const upstream = connect({ host: hostname.replace(/[[\]]/g, ''), port: Number(port) })
    upstream.setNoDelay()
    upstream.write(handshake(request, name))
    if (head.length > 0) upstream.write(head)
    const invites = createUnansweredInvites()
    invites.fromBrowser(head)
    join({ name, browser, upstream, invites, hasSaidGoodbye: false, bytes: 0, silentLooks: 0 })
  }

  function join(line: Line): void {
    const { name, browser, upstream, invites } = line
    const before = lines.get(name)
    lines.set(name, line)
    before?.browser.destroy()
    browser.on('data', (chunk: Buffer) => {
      line.bytes += chunk.length
      if (line.bytes > MAX_BYTES) return browser.destroy()
      line.hasSaidGoodbye = isCloseFrame(chunk)
      invites.fromBrowser(chunk)
      // Before the switch gets the close frame.
      if (line.hasSaidGoodbye) upstream.write(invites.refusals())
    })
    upstream.on('data', (chunk: Buffer) => invites.fromSwitch(chunk))
    browser.pipe(upstream)
    upstream.pipe(browser)
    upstream.on('error', () => {})
    upstream.once('close', () => browser.destroy())
    browser.once('close', () => {
      upstream.destroy()
      over(line)
    })
  }

  function over({ name, hasSaidGoodbye }: Line): void {
    if (isClosing || lines.get(name)?.browser.destroyed === false) return
    lines.delete(name)
    if (hasSaidGoodbye) end(name)
    else endLater(name)
  }

  function endLater(name: string): void {
    setTimeout(() => end(name), GRACE_MS).unref()
  }

  /** Keeps a phone whose browser has reconnected. */
  function end(name: string): void {
    if (!lines.has(name)) phones.end(name).catch(failed)
  }

  async function keep(): Promise<void> {
    for (const line of lines.values()) {
      line.silentLooks = line.bytes === 0 ? line.silentLooks + 1 : 0
      line.bytes = 0
      if (line.silentLooks >= MAX_SILENT_CHECKS) line.browser.destroy()
    }
    closeEnded([...lines.keys()], await phones.keep([...lines.keys()]))
  }

  async function look(name: string): Promise<void> {
    if (lines.has(name)) closeEnded([name], await phones.alive([name]))
  }

  /** Closes phones that were signed out or taken over by another tab. */
  function closeEnded(asked: readonly string[], alive: readonly string[]): void {
    for (const name of asked) {
      const line = lines.get(name)
      if (!line || alive.includes(name)) continue
      lines.delete(name)
      line.upstream.write(line.invites.refusals())
      line.upstream.unpipe(line.browser)
      line.browser.end(closeFrame(ENDED))
      setTimeout(() => line.browser.destroy(), SECOND).unref()
    }
  }
}

function refuse(browser: Duplex, status: string): void {
  browser.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Refuses connections from pages of other origins. */
function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin = '' } = headers
  return (
    origin === new URL(publicUrl).origin || (URL.canParse(origin) && new URL(origin).host === headers.host)
  )
}

const handshake = ({ headers }: IncomingMessage, name: string): string =>
  [
    ...[`GET /phone/${name} HTTP/1.1`, 'Host: switch', 'Upgrade: websocket', 'Connection: Upgrade'],
    ...[`Sec-WebSocket-Key: ${headers['sec-websocket-key']}`, 'Sec-WebSocket-Version: 13'],
    ...['Sec-WebSocket-Protocol: sip', '', ''],
  ].join('\r\n')

/** RFC 6455: the first byte is the opcode. Misses a close frame behind another frame in the same chunk; the timeout handles it. */
const isCloseFrame = (chunk: Buffer): boolean => chunk[0] === 0x88

const closeFrame = (code: number): Buffer => Buffer.from([0x88, 2, code >> 8, code & 0xff])
