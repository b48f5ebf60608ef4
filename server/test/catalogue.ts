import { sql } from 'kysely'
import { expect } from 'vitest'
import { type createPortal, type Portal, type SignedIn, signUp, withAdmin } from './portal.ts'

type GivenRate = {
  prefix: string
  price: number
  connect_fee?: number
  first_increment?: number
  next_increment?: number
}

/** A portal with an administrator, a regular and a premium customer, and helpers to add routes and trunks. */
export async function createShop(...options: Parameters<typeof createPortal>) {
  const { portal, root, alice } = await withAdmin(...options)
  const paula = await signUp(portal, 'paula', { isPremium: true })
  const shop = {
    ...portal,
    root,
    alice,
    paula,
    async addPlan(name: string) {
      const { answer } = await portal.call('POST /api/plans', { token: root.token, body: { name } })
      return answer.plan
    },
    async addRoute(given: object = {}) {
      const body = { country: 'Germany', name: 'Berlin', planname: 'Gold', price: 0.02, ...given }
      const { status, answer, message } = await portal.call('POST /api/routes', { token: root.token, body })
      if (status !== 200) throw new Error(message)
      return answer.route
    },
    async addTrunk(given: object = {}) {
      const body = { name: 'Carrier', host: 'sip.carrier.example', buy_rate: 0.01, plans: ['Gold'], ...given }
      const { status, answer, message } = await portal.call('POST /api/trunks', { token: root.token, body })
      if (status !== 200) throw new Error(message)
      return answer.trunk
    },
    setTrunkRates: (id: number, rates: GivenRate[]) =>
      portal.call('PUT /api/trunks/:id/rates', { token: root.token, params: { id }, body: { rates } }),
    select: (who: SignedIn, route_id: number, user_id?: number) =>
      portal.call('POST /api/user-selected-route', {
        token: who.token,
        body: { route_id, ...(user_id !== undefined && { user_id }) },
      }),
    selected: async (who: SignedIn) =>
      (await portal.call('GET /api/user-selected-route', { token: who.token })).answer.selectedRoutes,
  }
  await shop.addPlan('Gold')
  return shop
}

export type Shop = Awaited<ReturnType<typeof createShop>>

/** Audit entries, newest first. */
export async function auditOf(portal: Portal, root: SignedIn, action: string) {
  const { answer } = await portal.call('GET /api/admin/audit-log', { token: root.token, query: { action } })
  return answer.entries
}

/** All values in a response, to check that it leaks nothing. */
export function expectNowhere(answer: unknown, ...secrets: string[]): void {
  const text = JSON.stringify(answer)
  for (const secret of secrets) expect(text).not.toContain(secret)
}

/**
 * Runs requests that conflict: a row is locked until all of them wait for it or for each other. Returns their results.
 */
export async function racing<Answer>(
  { services: { db } }: Portal,
  lock: (tx: Portal['services']['db']) => Promise<unknown>,
  begin: () => Promise<Answer>[],
): Promise<Answer[]> {
  const running = await db.transaction().execute(async (tx) => {
    await lock(tx)
    const requests = begin()
    await expect.poll(() => waitingForLocks(db), { timeout: 20_000 }).toBe(requests.length)
    return requests
  })
  return Promise.all(running)
}

async function waitingForLocks(db: Portal['services']['db']): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::integer as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.waiting ?? 0
}

let calls = 0

/** Inserts a live call as call control does. */
export async function liveCall(
  portal: Portal,
  call: { userId: number; routeId: number; trunkId: number | null; switchId?: string },
): Promise<string> {
  const callId = `test/${++calls}`
  await portal.services.db
    .insertInto('live_calls')
    .values({
      call_id: callId,
      switch_id: call.switchId ?? 'test',
      user_id: call.userId,
      state: 'ringing',
      sip_account: 'alice',
      source_address: '127.0.0.1',
      device: '',
      caller_id: '14155550100',
      dialed: '4930123456',
      destination: '4930123456',
      country: 'DE',
      line_type: 'landline',
      route_id: call.routeId,
      route_name: 'Berlin',
      plan_name: 'Gold',
      price_micros: 1n,
      connect_fee_micros: 0n,
      first_increment: 1,
      next_increment: 1,
      trunks: '[]',
      trunk_id: call.trunkId,
      held_micros: 0n,
      covered_seconds: 60,
      started_at: portal.clock.now(),
    })
    .execute()
  return callId
}

/** Each fault gives an error for its field, and none creates a trunk. */
export async function expectTrunkFaults(
  shop: Shop,
  faults: readonly (readonly [fault: object, field: string])[],
): Promise<void> {
  const { token } = shop.root
  for (const [fault, field] of faults) {
    const body = { name: 'Carrier', host: 'sip.carrier.example', buy_rate: 0.01, ...fault }
    const { status, answer } = await shop.call('POST /api/trunks', { token, body })
    expect({ fault, status, answer }).toMatchObject({
      status: 400,
      answer: { error: { fields: [{ field }] } },
    })
  }
  expect(await listedTrunks(shop, token)).toEqual([])
}

export const listedTrunks = async (shop: Shop, token: string) =>
  (await shop.call('GET /api/trunks', { token })).answer.trunks
