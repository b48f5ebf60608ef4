import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { alice, credentialsOf, type Harness, nextPort, startHarness } from './harness.ts'

const wsPort = nextPort()
const tlsPort = nextPort()
const FLOODER = '127.0.2.1'
const browser = { user: 'browser~a1b2c3', password: 'made by the portal' }

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ wsPort, tlsPort, phonePort: 0 })
})
afterEach(() => harness.reset())
afterAll(() => harness.close())

/** Opens idle connections from one address; `word` is sent first. */
async function openIdle(count: number, port: number, word: string) {
  const sockets = new Set<Socket>()
  let opened = 0
  for (let at = 0; at < count; at++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: FLOODER })
    sockets.add(socket)
    socket.once('connect', () => {
      opened++
      if (word) socket.write(word)
    })
    socket.on('error', () => {})
    socket.resume()
    socket.once('close', () => sockets.delete(socket))
    if (at % 100 === 99) await pause(5)
  }
  await eventually(() => opened >= count, `${count} connections`, 60_000)
  return {
    left: () => sockets.size,
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

describe('serves other addresses while one address holds 4,300 idle connections', () => {
  it.each([
    ['to the SIP port', () => harness.sipPort, ''],
    ['to the SIP port, each with half a request', () => harness.sipPort, 'REGISTER sip:a SIP/2.0\r\n'],
    ['to the TLS port', () => tlsPort, ''],
    ['to the WebSocket port', () => wsPort, 'GET /ws HTTP/1.1\r\n'],
  ])('%s, and closes the idle ones', async (_where, portOf, word) => {
    const peer = await harness.peer({ credentials: credentialsOf(alice, browser) })
    const idle = await openIdle(4_300, portOf(), word)
    try {
      const through = harness.running.phonePort ?? 0
      const others: Parameters<Harness['phone']>[0][] = [
        { account: alice, transport: 'tcp' },
        { account: alice, transport: 'tls', switchPort: tlsPort },
        { account: alice, transport: 'ws', switchPort: wsPort },
        { account: browser, transport: 'ws', switchPort: through, path: `/phone/${browser.user}` },
      ]
      for (const options of others) {
        const phone = await harness.phone(options)
        const number = options?.account === browser ? 'echo' : undefined
        const answer = number ? await (await phone.call(number)).ended : await phone.register(0)
        // The echo port is not configured here; the test only checks that authentication works.
        expect(answer.status).toBe(number ? 503 : 200)
      }
      await eventually(() => idle.left() === 0, 'end of the idle connections', 60_000)
      expect(peer.all('banned')).toEqual([])
    } finally {
      idle.close()
    }
  })
})

it('keeps an authenticated connection open', async () => {
  await harness.peer({ credentials: credentialsOf(alice) })
  const phone = await harness.phone({ account: alice, transport: 'tcp' })
  expect((await phone.register()).status).toBe(200)
  const idle = await openIdle(1, harness.sipPort, '')
  await eventually(() => idle.left() === 0, 'end of a connection without a word', 60_000)
  await pause(3_000)
  expect((await phone.register()).status).toBe(200)
  expect((await phone.register(0)).status).toBe(200)
})

it('keeps only some of the authenticated connections of one address open', async () => {
  const own = await startHarness({ limits: { connectionsPerAddress: 3, idleConnectionSeconds: 3 } })
  try {
    await own.peer({ credentials: credentialsOf(alice) })
    const phones = await Promise.all(
      Array.from({ length: 6 }, () => own.phone({ account: alice, transport: 'tcp' })),
    )
    for (const phone of phones) expect((await phone.register()).status).toBe(200)
    const open = () => phones.filter(({ line }) => line.isOpen())
    await eventually(() => open().length === 3, 'end of three connections', 60_000)
    await pause(3_000)
    const [kept, ...others] = open()
    expect(others).toHaveLength(2)
    // A closed connection makes room for another one.
    kept?.line.close()
    await pause(1_000)
    const next = await own.phone({ account: alice, transport: 'tcp' })
    const known = await own.phone({ account: alice, transport: 'tcp' })
    expect((await next.register()).status).toBe(200)
    expect((await known.register()).status).toBe(200)
    await eventually(() => !known.line.isOpen(), 'end of one connection too many', 60_000)
    expect([next, ...others].map(({ line }) => line.isOpen())).toEqual([true, true, true])
  } finally {
    await own.close()
  }
})

it('shortens the idle timeout when many connections are open', async () => {
  const own = await startHarness({ limits: { idleConnectionSeconds: 600 } })
  const before = await openIdle(3_200, own.sipPort, '')
  try {
    await own.peer({ credentials: credentialsOf(alice) })
    await expect
      .poll(
        async () => {
          // Kamailio checks its timers on any connection activity, and at least every five seconds.
          const late = await openIdle(1, own.sipPort, '')
          const isClosed = await eventually(() => late.left() === 0, 'end', 10_000).catch(() => false)
          late.close()
          return isClosed
        },
        { timeout: 60_000 },
      )
      .toBe(true)
    // Connections that were opened before the limit was reached.
    expect(before.left()).toBeGreaterThan(2_500)
    const phone = await own.phone({ account: alice, transport: 'tcp' })
    expect((await phone.register()).status).toBe(200)
    await pause(4_000)
    expect((await phone.register(0)).status).toBe(200)
  } finally {
    before.close()
    await own.close()
  }
})
