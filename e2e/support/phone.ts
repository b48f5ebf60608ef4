import { mkdtemp, rm } from 'node:fs/promises'
import { connect as connectTcp, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { type Carrier, startCarrier } from '../../sandbox/carriers/carrier.ts'
import { type Account, createPhone, type Phone } from '../../sip/test/phone.ts'
import { withMicrophone } from './browser.ts'
import { test as base, bearerOf, demo, expect } from './calls.ts'
import { type PortalProcess, startPortalProcess } from './portal-process.ts'

export { expect }

type OwnPortal = { portal: PortalProcess; carrier: Carrier; portalSettings: Record<string, string> }

/**
 * A portal with a real switch, whose trunks all lead to one test carrier, and a browser with a fake microphone. Numbers that
 * end in 86 are busy; numbers that end in 80 ring until the story lets the carrier answer.
 */
export const test = base.extend<object, OwnPortal>({
  launchOptions: [withMicrophone, { scope: 'worker' }],
  carrier: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
    async ({}, use) => {
      const carrier = await startCarrier({
        behaviorOf: (number) =>
          number.endsWith('86')
            ? { kind: 'refuse', code: 486, reason: 'Busy Here' }
            : number.endsWith('80')
              ? { kind: 'rings' }
              : { kind: 'echo', ringMs: 300 },
      })
      await use(carrier)
      await carrier.close()
    },
    { scope: 'worker' },
  ],
  portalSettings: [{}, { scope: 'worker', option: true }],
  portal: [
    async ({ playwright, carrier: { host, port }, portalSettings }, use) => {
      const data = await mkdtemp(join(tmpdir(), 'trunkline-phone-'))
      const portal = await startPortalProcess(data, undefined, { TRUNKLINE_SWITCH: '', ...portalSettings })
      const request = await playwright.request.newContext({ baseURL: portal.url })
      const headers = await bearerOf(request, demo.admin)
      const { trunks } = await (await request.get('/api/trunks', { headers })).json()
      for (const { id } of trunks) await request.patch(`/api/trunks/${id}`, { headers, data: { host, port } })
      await request.dispose()
      await use(portal)
      await portal.stop()
      await rm(data, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ portal }, use) => use(portal.url),
})

export type SipPhone = Phone & { account: Account }

/** With a registered SIP phone of the caller. */
export const testWithSipPhone = test.extend<{ phone: SipPhone }>({
  phone: async ({ request, caller, portal }, use) => {
    const headers = await bearerOf(request, caller)
    const { password } = await (await request.post('/api/user/sip/password', { headers })).json()
    const account = { user: caller.username, password }
    const phone = await createPhone({ switchPort: portal.sipPort, account })
    // Call control learns of the new password a moment after the portal has saved it.
    const register = async () => (await phone.register()).status
    await expect.poll(register, { message: 'a registration', intervals: [300, 1_000, 2_000] }).toBe(200)
    await use({ ...phone, account })
    phone.close()
  },
})

/** Opens the web phone. */
export async function openPhone(page: Page): Promise<Locator> {
  await page.getByRole('banner').getByRole('button', { name: 'Phone' }).click()
  return page.getByRole('region', { name: 'Phone' })
}

export async function dial(phone: Locator, number: string): Promise<void> {
  await phone.getByLabel('Number').fill(number)
  await phone.getByRole('button', { name: 'Call', exact: true }).click()
}

/** Exposes the peer connections of the page, to read their statistics. */
export const keepConnections = (page: Page): Promise<unknown> =>
  page.addInitScript(`
    window.callConnections = []
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration) {
        super(configuration)
        window.callConnections.push(this)
      }
    }`)

/** Packets sent and received, and the codec, of the last call. Zero before the first one. */
export const packetsOf = (page: Page): Promise<{ sent: number; received: number; codec: string }> =>
  page.evaluate(`(async () => {
    const reports = [...((await window.callConnections.at(-1)?.getStats())?.values() ?? [])]
    const of = (type) => reports.find((report) => report.type === type) ?? {}
    return {
      sent: of('outbound-rtp').packetsSent ?? 0,
      received: of('inbound-rtp').packetsReceived ?? 0,
      codec: reports.find(({ id }) => id === of('outbound-rtp').codecId)?.mimeType ?? '',
    }
  })()`)

/** Can a page open the WebSocket of the phone with this token? */
export const canConnect = (page: Page, token: string): Promise<boolean> =>
  page.evaluate(`new Promise((resolve) => {
    const socket = new WebSocket('ws://' + location.host + '/api/phone/socket', ['sip', '${token}'])
    socket.onopen = () => resolve(true)
    socket.onerror = () => resolve(false)
  })`)

/** Denies the microphone permission. */
export const refuseMicrophone = (page: Page): Promise<unknown> =>
  page.evaluate(
    `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError')), 0`,
  )

/** A proxy between browser and portal that can drop the connection silently. */
export async function startNetwork(to: number): Promise<{ url: string; cut(): void; close(): void }> {
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    near.on('error', () => {})
    if (isCut) return near.destroy()
    const far = connectTcp(to, 'localhost')
    far.on('error', () => {})
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.once('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  const cut = () => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://localhost:${typeof address === 'object' && address ? address.port : 0}`,
    cut,
    close() {
      cut()
      server.close()
    },
  }
}

type Headers = { authorization: string }
type Recorded = { id: string; sipiax: string; reason: string; cost: number; duration: number; status: string }

export async function recordsOf(request: APIRequestContext, headers: Headers): Promise<Recorded[]> {
  return (await (await request.get('/api/cdr', { headers })).json()).records
}

export async function liveCallsOf(request: APIRequestContext, headers: Headers): Promise<number> {
  return (await (await request.get('/api/live-calls', { headers })).json()).liveCalls
}

/** Waits until the browser hears the caller. Packets before the end of the DTLS handshake are lost, so the caller goes on. */
export const hearsCaller = (page: Page, speech: { say(packets: number): void }): Promise<void> =>
  expect
    .poll(async () => {
      speech.say(20)
      return (await packetsOf(page)).received
    })
    .toBeGreaterThan(30)
