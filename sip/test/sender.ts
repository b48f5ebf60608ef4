import { createSocket } from 'node:dgram'

/** Sends bytes to a switch from this address, and counts the replies. */
export async function openSender(address: string, switchPort: number) {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, address, resolve))
  let answers = 0
  socket.on('message', () => {
    answers += 1
  })
  return {
    port: socket.address().port,
    answers: () => answers,
    send: (bytes: Buffer) =>
      new Promise<void>((resolve) => socket.send(bytes, switchPort, '127.0.0.1', () => resolve())),
    close: () => socket.close(),
  }
}
