import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { afterAll, afterEach, expect } from 'vitest'

/** A third party that no request may reach. It records contacts over UDP and TCP. */
export type Bystander = { host: string; port: number; contacts: string[]; close(): Promise<void> }

export async function startBystander(host = '127.0.0.66'): Promise<Bystander> {
  const contacts: string[] = []
  const server = createServer((connection) => {
    contacts.push('TCP connection')
    connection.on('error', () => {})
    connection.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const port = (server.address() as { port: number }).port
  const socket = createSocket('udp4')
  socket.on('message', (bytes) => contacts.push(bytes.toString('latin1')))
  await new Promise<void>((resolve) => socket.bind(port, host, resolve))
  return {
    host,
    port,
    contacts,
    async close() {
      socket.close()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/**
 * One bystander for all tests of a file. A request that reaches it fails the test. Start it before the harness, so that it is
 * checked after the calls of the test have ended.
 */
export async function bystanderForFile(): Promise<Bystander> {
  const bystander = await startBystander()
  afterEach(() => expect(bystander.contacts.splice(0)).toEqual([]))
  afterAll(() => bystander.close())
  return bystander
}
