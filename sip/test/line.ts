import { createSocket } from 'node:dgram'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'

export type Transport = 'udp' | 'tcp' | 'tls' | 'ws'
export type Line = {
  host: string
  port: number
  send(text: string): void
  isOpen(): boolean
  close(): void
}

type Far = {
  transport: Transport
  host: string
  port: number
  from: string | undefined
  path: string | undefined
}

/** A phone's connection over UDP, TCP, TLS or WebSocket. */
export async function openLine(
  { transport, host, port, from, path = '/ws' }: Far,
  onMessage: (text: string) => void,
): Promise<Line> {
  if (transport === 'udp') {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    socket.on('message', (bytes) => onMessage(bytes.toString('latin1')))
    socket.on('error', () => {})
    await new Promise<void>((resolve) => socket.bind(0, from ?? host, resolve))
    let isOpen = true
    return {
      host: from ?? host,
      port: socket.address().port,
      send(text) {
        if (isOpen) socket.send(Buffer.from(text, 'latin1'), port, host)
      },
      isOpen: () => isOpen,
      close() {
        if (isOpen) socket.close()
        isOpen = false
      },
    }
  }
  if (transport === 'ws') {
    const socket = new WebSocket(`ws://${host}:${port}${path}`, 'sip')
    socket.onmessage = async ({ data }) => onMessage(typeof data === 'string' ? data : await data.text())
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve()
      socket.onerror = () => reject(new Error(`No WebSocket at port ${port}`))
    })
    return {
      host,
      port,
      send: (text) => socket.send(text),
      isOpen: () => socket.readyState === WebSocket.OPEN,
      close: () => socket.close(),
    }
  }
  const socket =
    transport === 'tcp' ? connectTcp(port, host) : connectTls({ port, host, rejectUnauthorized: false })
  await new Promise<void>((resolve, reject) => {
    socket.once(transport === 'tcp' ? 'connect' : 'secureConnect', () => resolve())
    socket.once('error', reject)
  })
  let gathered = ''
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    gathered += bytes.toString('latin1')
    for (;;) {
      const head = gathered.indexOf('\r\n\r\n')
      if (head === -1) return
      const length = Number(/^content-length:\s*(\d+)/im.exec(gathered.slice(0, head))?.[1] ?? 0)
      if (gathered.length < head + 4 + length) return
      onMessage(gathered.slice(0, head + 4 + length))
      gathered = gathered.slice(head + 4 + length)
    }
  })
  return {
    host,
    port: socket.localPort ?? 0,
    send: (text) => void socket.write(Buffer.from(text, 'latin1')),
    isOpen: () => !socket.destroyed && !socket.readableEnded,
    close: () => socket.destroy(),
  }
}
