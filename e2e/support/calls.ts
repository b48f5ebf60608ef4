import type { APIRequestContext } from '@playwright/test'
import { bearerOf, demo } from './payments.ts'
import { test as base, expect, type Person, signUp } from './story.ts'

export { bearerOf } from './payments.ts'
export { signIn } from './story.ts'
export { demo, expect }

/** A simulated call, in the format of the demo switch. */
export type CallPlan = {
  to: string
  /** `afterMs: null` rings until the story answers. */
  carriers?: { code: number; afterMs?: number | null; ringAfterMs?: number | null }[]
  talkMs?: number | null
  /** The reply of rtpengine about the speech. */
  media?: { caller: string; reply: unknown }
}

type CallStory = {
  /** A customer with a balance, a caller ID, and routes to the United Kingdom and the United States. */
  caller: Person
  /** Places calls through the demo switch, one after the other; resolves when their records are readable. */
  callEnds: (...plans: CallPlan[]) => Promise<void>
}

export const CALLER_ID = '12025550100'
export const LONDON = '+442079460958'
export const LONDON_AS_SHOWN = '+44 20 7946 0958'
export const NEW_YORK = '+12125550123'

const answered = [{ code: 200, afterMs: 50, ringAfterMs: 10 }]

export const test = base.extend<CallStory>({
  caller: async ({ request, newcomer }, use) => {
    await canCall(request, newcomer.username, await bearerOf(request, newcomer))
    await use(newcomer)
  },

  callEnds: async ({ request, caller }, use) => {
    const headers = await bearerOf(request, caller)
    const isRecorded = async (call: string): Promise<boolean> => {
      const { records } = await (await request.get('/api/cdr', { headers })).json()
      return records.some(({ uniqueid }: { uniqueid: string }) => uniqueid.endsWith(`/${call}`))
    }
    await use(async (...plans) => {
      for (const plan of plans) {
        await callControlIsUpToDate(request)
        const placed = await place(request, {
          user: caller.username,
          carriers: answered,
          talkMs: 300,
          ...plan,
        })
        const message = `the record of ${JSON.stringify(placed)}`
        await expect.poll(() => isRecorded(placed.call), { message, intervals: [100] }).toBe(true)
      }
    })
  },
})

type Headers = { authorization: string }
type Placed = { call: string; decision: string; callerId: string | null; code: number | null }

const board = () => `${process.env.TRUNKLINE_STORY_SWITCH_URL}/sandbox`

/** Places a call through the demo switch; resolves when call control has decided. */
async function place(request: APIRequestContext, data: CallPlan & { user: string }): Promise<Placed> {
  const answer = await request.post(`${board()}/calls`, { data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.json()
}

/** On a busy machine call control may take too long. The call is refused with 503 then. */
const BUSY = 503
const MAX_TRIES = 10

/** Places a call that lasts until someone ends it; resolves to its name on the demo switch. */
export async function placeCall(
  request: APIRequestContext,
  user: string,
  plan: Partial<CallPlan> = {},
): Promise<string> {
  await callControlIsUpToDate(request)
  for (let tries = 1; ; tries++) {
    const placed = await place(request, { user, to: LONDON, carriers: answered, talkMs: null, ...plan })
    if (placed.code === BUSY && tries < MAX_TRIES) continue
    expect(placed.decision, JSON.stringify(placed)).toBe('allowed')
    return placed.call
  }
}

/** Answers a call that was placed to ring. */
export async function answerCall(request: APIRequestContext, call: string): Promise<void> {
  const response = await request.post(`${board()}/calls/${call}/answer`)
  expect(await response.json()).toEqual({ answered: true })
}

type Scout = { username: string; headers: Headers; madeAt: number }
let scout: Scout | undefined
/** A change of the caller ID needs a password that was typed within the last ten minutes. */
const SCOUT_MS = 5 * 60_000
let callerIds = 0

/**
 * Waits until call control has received all changes so far. It receives them in order, so a later change of another account
 * proves that the earlier ones have arrived.
 */
async function callControlIsUpToDate(request: APIRequestContext): Promise<void> {
  // After the start it takes a moment until the switch is connected.
  const connections = async () => (await (await request.get(`${board()}/state`)).json()).connections
  await expect.poll(connections).toBeGreaterThan(0)
  if (scout === undefined || Date.now() - scout.madeAt > SCOUT_MS) scout = await makeScout(request)
  const { username, headers } = scout
  const callerid = `1202555${String(++callerIds).padStart(4, '0')}`
  await done(request, '/api/user/callerid', { callerid }, headers)
  const shown = async () =>
    (await place(request, { user: username, to: LONDON, carriers: answered, talkMs: 0 })).callerId
  await expect.poll(shown, { message: 'what call control knows', intervals: [50, 100, 250] }).toBe(callerid)
}

async function makeScout(request: APIRequestContext): Promise<Scout> {
  const madeAt = Date.now()
  const person = await signUp(request, 'scout')
  const headers = await bearerOf(request, person)
  await canCall(request, person.username, headers)
  return { username: person.username, headers, madeAt }
}

async function done(request: APIRequestContext, path: string, data: object, headers: Headers): Promise<void> {
  const answer = await request.post(path, { headers, data })
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
}

export async function canCall(request: APIRequestContext, username: string, headers: Headers): Promise<void> {
  const fund = async () => {
    const admin = await bearerOf(request, demo.admin)
    const { user } = await (await request.get('/api/auth/me', { headers })).json()
    const gift = { user_id: user.id, amount: 20, reason: 'for a story', request_key: `story-${username}` }
    await done(request, '/api/admin/balance-adjustments', gift, admin)
  }
  const choose = async (country: string) => {
    const route_id = await routeOf(request, headers, country, 'Gold CLI')
    await done(request, '/api/user-selected-route', { route_id }, headers)
  }
  const setCallerId = () => done(request, '/api/user/callerid', { callerid: CALLER_ID }, headers)
  await Promise.all([fund(), setCallerId(), choose('GB'), choose('US')])
}

export async function routeOf(
  request: APIRequestContext,
  headers: Headers,
  country: string,
  plan: string,
): Promise<number> {
  const { routes } = await (await request.get('/api/routes', { headers })).json()
  const found = routes.find(
    (route: { country_code: string; planname: string }) =>
      route.country_code === country && route.planname === plan,
  )
  return found.id
}
