import type { APIRequestContext } from '@playwright/test'
import { bearerOf, demo } from './payments.ts'
import { test as base, expect, type Person } from './story.ts'

export { bearerOf } from './payments.ts'
export { signIn } from './story.ts'
export { demo, expect }

/** What a made-up call does; the demo switch's own words. */
export type CallPlan = {
  to: string
  carriers?: { code: number; afterMs?: number; ringAfterMs?: number | null }[]
  talkMs?: number | null
}

type CallStory = {
  /** A customer who can telephone: with money, a caller ID, and routes to the United Kingdom and the United States. */
  caller: Person
  /** Places a call of the caller's through the demo switch; answers when its record can be read. */
  callEnds: (plan: CallPlan) => Promise<void>
}

export const CALLER_ID = '12025550100'
export const LONDON = '+442079460958'
export const NEW_YORK = '+12125550123'

const answered = [{ code: 200, afterMs: 50, ringAfterMs: 10 }]

export const test = base.extend<CallStory>({
  caller: async ({ request, newcomer }, use) => {
    const [headers, admin] = await Promise.all([bearerOf(request, newcomer), bearerOf(request, demo.admin)])
    const done = async (path: string, data: object, by = headers) =>
      expect((await request.post(path, { headers: by, data })).ok()).toBe(true)
    const fund = async () => {
      const { user } = await (await request.get('/api/auth/me', { headers })).json()
      const gift = { user_id: user.id, amount: 20, reason: 'for a story' }
      const request_key = `story-${newcomer.username}`
      await done('/api/admin/balance-adjustments', { ...gift, request_key }, admin)
    }
    const choose = async (country: string) =>
      done('/api/user-selected-route', { route_id: await routeOf(request, headers, country, 'Gold CLI') })
    await Promise.all([
      fund(),
      done('/api/user/callerid', { callerid: CALLER_ID }),
      choose('GB'),
      choose('US'),
    ])
    await use(newcomer)
  },

  callEnds: async ({ request, caller }, use) => {
    const headers = await bearerOf(request, caller)
    const board = `${process.env.TRUNKLINE_STORY_SWITCH_URL}/sandbox`
    // A portal that has just started finds its switch a moment later.
    const connections = async () => (await (await request.get(`${board}/state`)).json()).connections
    await expect.poll(connections).toBeGreaterThan(0)
    const recorded = async () =>
      (await (await request.get('/api/cdr/totals', { headers })).json()).totals.calls as number
    await use(async (plan) => {
      const before = await recorded()
      const data = { user: caller.username, carriers: answered, talkMs: 300, ...plan }
      const placed = await request.post(`${board}/calls`, { data })
      const message = `the record of ${await placed.text()}`
      await expect.poll(recorded, { message, intervals: [100] }).toBe(before + 1)
    })
  },
})

type Headers = { authorization: string }

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
