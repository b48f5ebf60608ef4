import { createSocket } from 'node:dgram'
import { connect } from 'node:net'

const TIMEOUT_MS = 200

/** Whether a SIP server replies to OPTIONS. */
export function answersOptions(address: string, port: number): Promise<boolean> {
  return answers(address, port, (ownPort) => {
    const host = address.includes(':') ? `[${address}]` : address
    const own = `${host}:${ownPort}`
    const lines = [
      `OPTIONS sip:${host}:${port} SIP/2.0`,
      `Via: SIP/2.0/UDP ${own};rport;branch=z9hG4bKprobe${own.replace(/\W/g, '')}`,
      `From: <sip:probe@${own}>;tag=probe`,
      `To: <sip:${host}:${port}>`,
      `Call-ID: probe-${own}`,
      'CSeq: 1 OPTIONS',
      'Max-Forwards: 5',
      'Content-Length: 0',
    ]
    return `${lines.join('\r\n')}\r\n\r\n`
  })
}

/** Whether an rtpengine replies to ping. */
export const answersPing = (port: number): Promise<boolean> =>
  answers('127.0.0.1', port, (ownPort) => `probe${ownPort} d7:command4:pinge`)

/** Sends one packet and waits for any reply. */
function answers(address: string, port: number, packet: (ownPort: number) => string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
    const finish = (answer: boolean) => {
      clearTimeout(timer)
      socket.removeAllListeners()
      socket.on('error', () => {})
      socket.close()
      resolve(answer)
    }
    const timer = setTimeout(() => finish(false), TIMEOUT_MS)
    socket.once('error', () => finish(false))
    socket.once('message', () => finish(true))
    socket.bind(0, address, () => socket.send(packet(socket.address().port), port, address))
  })
}

export function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const finish = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
  })
}
