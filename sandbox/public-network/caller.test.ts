import { afterEach, expect, it } from 'vitest'
import { type Carrier, startCarrier } from '../carriers/carrier.ts'
import { type DemoCarrier, demoNumbers, startDemoCarrier } from '../carriers/start.ts'
import { createWeb, portOf } from '../shared/web.ts'
import { type Caller, type DialedCall, startCaller } from './caller.ts'
import { resultOf } from './results.ts'
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

/** The phones that customers call. */
async function startOutside(): Promise<DemoCarrier> {
  const outside = await startDemoCarrier({ host: '127.0.0.1', port: 0 })
  ends.push(() => outside.close())
  return outside
}

/** Serves the page of this caller; returns its address. */
async function serve(caller: Caller, given?: DemoCarrier): Promise<string> {
  const web = createWeb()
  const outside = given ?? (await startOutside())
  await web.register(dialRoutes, { caller, carrier: outside })
  await web.listen({ port: 0, host: '127.0.0.1' })
  ends.push(() => web.close())
  return `http://127.0.0.1:${portOf(web.server.address())}/public-network`
}

it('has a page with a form, and the same controls as JSON', async () => {
  const { caller } = await network()
  const at = await serve(caller)
  const form = new URLSearchParams({ number: '+44 (20) 7946-0123', callerId: '+1 202 555 0143' })
  expect((await fetch(`${at}/calls`, { method: 'POST', body: form, redirect: 'manual' })).status).toBe(303)
  await expect.poll(async () => (await fetch(at)).text()).toContain('answered')
  const { calls } = (await (await fetch(`${at}/calls`)).json()) as { calls: DialedCall[] }
  expect(calls).toMatchObject([{ number: '+442079460123', callerId: '+12025550143', state: 'answered' }])
  const bad = await fetch(`${at}/calls`, { method: 'POST', body: new URLSearchParams({ number: 'abc' }) })
  expect(bad.status).toBe(400)
  expect(await bad.text()).toContain('Please enter a phone number, such as +442079460123.')
})

it('fills in the number of a link, and dials it unless another site made the link', async () => {
  const { caller } = await network()
  const at = await serve(caller)
  const open = async (query: string, site: string) =>
    (await fetch(`${at}?${query}`, { headers: { 'sec-fetch-site': site } })).text()
  expect(await open('number=+442079460123', 'none')).toContain('value="+442079460123"')
  expect(await open('number=442079460123', 'none')).not.toContain('data-submits')
  expect(await open('number=442079460123&dial=yes', 'same-site')).toContain('data-submits')
  expect(await open('number=442079460123&dial=yes', 'cross-site')).not.toContain('data-submits')
})

it('offers the numbers of the demo, and says how the last call ended', async () => {
  const { caller, carrier } = await network()
  const at = await serve(caller)
  const numbers = [{ number: '+44 20 7946 0186', username: 'alice', area: 'London' }]
  const body = JSON.stringify({ address: `127.0.0.1:${carrier.port}`, numbers })
  await fetch(`${at}/switch`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect(await (await fetch(at)).text()).toContain('Call +44 20 7946 0186, alice')
  for (const [number, word] of [
    ['+442079460186', 'Busy'],
    ['+442079460123', 'Answered'],
  ] as const) {
    const call = await dial(caller, number)
    await expect.poll(() => call.state).not.toBe('calling')
    if (word === 'Answered') {
      await expect.poll(() => call.state).toBe('answered')
      caller.hangUp(call.id)
    }
    await expect.poll(async () => (await fetch(at)).text()).toContain(`${number}</strong> <span class="state`)
    expect(await (await fetch(at)).text()).toMatch(new RegExp(`</strong> <span class="state \\w+">${word}<`))
  }
})

it('chooses what outside phones do: busy, declined, or ringing until the page answers and hangs up', async () => {
  const { caller } = await network()
  const outside = await startOutside()
  // The call of a customer, without the switch in between.
  caller.setSwitch(`127.0.0.1:${outside.port}`)
  const at = await serve(caller, outside)
  const page = async () => (await fetch(at)).text()
  const post = (path: string, fields: Record<string, string> = {}) =>
    fetch(`${at}/outside${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  const outcomeOf = async (habit: string) => {
    expect((await post('', { habit })).status).toBe(303)
    expect(await page()).toContain(`<option value="${habit}" selected>`)
    const call = await dial(caller, '+442079460123')
    await expect.poll(() => call.outcome).not.toBe('')
    return call.outcome
  }
  expect(await outcomeOf('busy')).toBe('486 Busy Here')
  expect(await outcomeOf('declined')).toBe('603 Decline')
  await post('', { habit: 'no_answer' })
  const call = await dial(caller, '+442079460123')
  await expect.poll(page).toContain('1 ringing, 0 answered.')
  await post('/answer')
  await expect.poll(() => call.state).toBe('answered')
  await expect.poll(page).toContain('0 ringing, 1 answered.')
  // A key is lost if the machine stops while it is sent.
  const pressed = () => {
    caller.press(call.id, '7')
    return page()
  }
  await expect.poll(pressed, { interval: 500 }).toContain('Keys heard: 7')
  await post('/hangup')
  await expect.poll(() => call.outcome).toBe('The called party hung up')
  expect((await post('', { habit: 'sleep' })).status).toBe(400)
})

it.each([
  [404, 'Not in service'],
  [408, 'No answer'],
  [480, 'No answer'],
  [486, 'Busy'],
  [487, 'Canceled'],
  [503, 'Failed'],
  [600, 'Busy'],
  [603, 'Declined'],
])('calls the result of a call with the code %i "%s"', (code, word) => {
  const call = { ...wish, number: '', id: '', startedAt: 0, endedAt: 1, heard: 0, keysHeard: '' }
  expect(resultOf({ ...call, state: 'ended', answeredAt: null, code, outcome: '' }).word).toBe(word)
})
