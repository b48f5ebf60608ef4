import { afterEach, expect, it } from 'vitest'
import { type Carrier, startCarrier } from '../carriers/carrier.ts'
import { demoNumbers } from '../carriers/start.ts'
import { createWeb, portOf } from '../shared/web.ts'
import { type Caller, type DialedCall, startCaller } from './caller.ts'
import { dialRoutes } from './routes.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** The test carrier stands at the place of the switch and answers by the last two digits. */
async function network(): Promise<{ caller: Caller; carrier: Carrier }> {
  const carrier = await startCarrier({
    behaviorOf: (number) =>
      demoNumbers.find(({ ending }) => number.endsWith(ending))?.behavior ?? { kind: 'echo', ringMs: 0 },
  })
  const caller = await startCaller({ host: '127.0.0.1', port: 0 })
  ends.push(
    () => carrier.close(),
    () => caller.close(),
  )
  caller.setSwitch(`127.0.0.1:${carrier.port}`)
  return { caller, carrier }
}

const wish = { callerId: '+12025550143', name: 'Grace', isWithheld: false, sound: 'tone' } as const

async function dial(caller: Caller, number: string, changes: object = {}): Promise<DialedCall> {
  const call = await caller.dial({ ...wish, number, ...changes })
  if (!call) throw new Error('no switch')
  return call
}

it('talks in both directions, presses keys and hangs up', async () => {
  const { caller, carrier } = await network()
  const call = await dial(caller, '+442079460123')
  await expect.poll(() => call.state).toBe('answered')
  await expect.poll(() => caller.calls()[0]?.heard).toBeGreaterThan(5)
  expect(caller.press(call.id, '12#')).toBe(true)
  await expect.poll(() => carrier.digits()).toBe('12#')
  expect(caller.hangUp(call.id)).toBe(true)
  await expect.poll(() => carrier.live()).toBe(0)
  expect(call).toMatchObject({ state: 'ended', outcome: 'The caller hung up' })
})

it('shows a busy number', async () => {
  const { caller } = await network()
  const call = await dial(caller, '+442079460186')
  await expect.poll(() => call.outcome).toBe('486 Busy Here')
})

it('cancels a call that nobody answers', async () => {
  const { caller } = await network()
  const call = await dial(caller, '+442079460180')
  await expect.poll(() => call.state).toBe('ringing')
  caller.hangUp(call.id)
  await expect.poll(() => call.outcome).toBe('487 Request Terminated')
})

it('ends when the called party hangs up', async () => {
  const { caller, carrier } = await network()
  const call = await dial(caller, '+442079460123')
  await expect.poll(() => call.state).toBe('answered')
  carrier.hangUpAll()
  await expect.poll(() => call.outcome).toBe('The called party hung up')
})

it('withholds the number in From and sends it to the carrier only', async () => {
  const { caller, carrier } = await network()
  await dial(caller, '+442079460123', { isWithheld: true })
  await expect.poll(() => carrier.requests.length).toBeGreaterThan(0)
  const headers = new Map(carrier.requests[0]?.headers)
  expect(headers.get('From')).toContain('anonymous@anonymous.invalid')
  expect(headers.get('Privacy')).toBe('id')
  expect(headers.get('P-Asserted-Identity')).toContain('+12025550143')
})

it('has a page with a form, and the same controls as JSON', async () => {
  const { caller } = await network()
  const web = createWeb()
  await web.register(dialRoutes, { caller })
  await web.listen({ port: 0, host: '127.0.0.1' })
  ends.push(() => web.close())
  const at = `http://127.0.0.1:${portOf(web.server.address())}/public-network`
  const form = new URLSearchParams({ number: '+44 (20) 7946-0123', callerId: '+1 202 555 0143' })
  expect((await fetch(`${at}/calls`, { method: 'POST', body: form, redirect: 'manual' })).status).toBe(303)
  await expect.poll(async () => (await fetch(at)).text()).toContain('answered')
  const { calls } = (await (await fetch(`${at}/calls`)).json()) as { calls: DialedCall[] }
  expect(calls).toMatchObject([{ number: '+442079460123', callerId: '+12025550143', state: 'answered' }])
  const bad = await fetch(`${at}/calls`, { method: 'POST', body: new URLSearchParams({ number: 'abc' }) })
  expect(bad.status).toBe(400)
})
