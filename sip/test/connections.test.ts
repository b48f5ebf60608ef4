import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { alice, credentialsOf, type Harness, harnessForFile, nextPort } from './harness.ts'
import { openIdle } from './idle-connections.ts'

const wsPort = nextPort()
const tlsPort = nextPort()
const browser = { user: 'browser~a1b2c3', password: 'made by the portal' }

const harness = await harnessForFile({ wsPort, tlsPort, phonePort: 0 })

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
