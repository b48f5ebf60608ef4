import { createSocket, type Socket } from 'node:dgram'

export type PortRange = { readonly first: number; readonly last: number }

/** Above the default range of rtpengine, 20,000 to 29,999. */
export const DEFAULT_PORTS: PortRange = { first: 60_000, last: 64_998 }

export type RtpPorts = { open(): Promise<Socket> }

/** Opens sockets on even ports, one after the other, so that a port rests before its next use. */
export function createRtpPorts(host: string, { first, last }: PortRange = DEFAULT_PORTS): RtpPorts {
  const start = first + (first % 2)
  const count = Math.floor((last - start) / 2) + 1
  let next = Math.floor(Math.random() * count)
  return {
    async open() {
      for (let tries = 0; tries < count; tries++) {
        const port = start + 2 * next
        next = (next + 1) % count
        const socket = await bind(host, port)
        if (socket) return socket
      }
      throw new Error(`No free RTP port between ${first} and ${last}`)
    },
  }
}

function bind(host: string, port: number): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', recvBufferSize: 64 * 1024 })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close()
      if (error.code === 'EADDRINUSE') resolve(null)
      else reject(error)
    })
    socket.bind({ address: host, port, exclusive: true }, () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
  })
}
