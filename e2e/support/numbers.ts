import { randomInt } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { asAdmin } from './admin.ts'
import { bearerOf } from './calls.ts'
import { expect, type Person } from './story.ts'

/** A number of the inventory, as the API and as screens write it. */
export type Offered = { id: number; number: string; shown: string; digits: string; version: number }

/** Adds a London number that only this story uses. */
export async function offerNumber(request: APIRequestContext, given: object = {}): Promise<Offered> {
  const { send } = await asAdmin(request)
  const own = String(randomInt(2_000_000, 6_000_000))
  const number = `+44203${own}`
  const body = { number, area: 'London', monthly: 1.5, setup: 1, price: 0.01, ...given }
  const { number: added } = await send('post', '/api/admin/numbers', body)
  const { id, version } = added
  return { id, version, number, digits: `203${own}`, shown: `+44 20 3${own.slice(0, 3)} ${own.slice(3)}` }
}

/** Rents a number without the screen. */
export async function rentNumber(request: APIRequestContext, person: Person, offered: Offered) {
  const headers = await bearerOf(request, person)
  const data = { id: offered.id, monthly: 1.5, setup: 1, price: 0.01, request_key: `story-${offered.digits}` }
  const answer = await request.post('/api/numbers', { headers, data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()).number as { id: number; version: number; paid_until: string }
}

/** A number that the customer rents. */
export async function rentedNumber(request: APIRequestContext, person: Person): Promise<Offered> {
  const offered = await offerNumber(request)
  await rentNumber(request, person, offered)
  return offered
}

type Incoming = { from: string; name?: string; code: number }

/** Calls a number through the demo switch, from a carrier that only this story uses; resolves when call control has admitted the call. */
export async function callNumber(
  request: APIRequestContext,
  offered: Offered,
  { from, name, code }: Incoming,
) {
  const { send } = await asAdmin(request)
  const address = `198.18.${randomInt(0, 255)}.${randomInt(1, 255)}`
  const trunk = { name: `Carrier of ${offered.digits} ${from}`, host: 'sip.carrier.example', buy_rate: 0.01 }
  await send('post', '/api/trunks', { ...trunk, plans: [], incoming_sources: [address] })
  const data = {
    incoming: { from, name },
    address,
    to: offered.number,
    carriers: [{ code, afterMs: 300, ringAfterMs: 50 }],
    talkMs: 300,
  }
  const place = async () => {
    const url = `${process.env.TRUNKLINE_STORY_SWITCH_URL}/sandbox/calls`
    return (await (await request.post(url, { data })).json()).decision
  }
  await expect.poll(place, { message: `a call to ${offered.number}` }).toBe('allowed')
}
