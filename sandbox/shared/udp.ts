import { createSocket, type Socket } from 'node:dgram'

/** A bound UDP socket. Port 0 means any free port. Later errors of single packets are ignored. */
export function bindUdp(host: string, port: number): Promise<Socket> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, host, () => {
      socket.removeAllListeners('error')
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}
