import { createCallFigures } from '@trunkline/server/features/calls/figures/service'
import { createTrunkQuality } from '@trunkline/server/features/calls/trunk-quality/service'
import { createAlerts } from '@trunkline/server/features/identity/alerts/service'
import { createAudit } from '@trunkline/server/features/identity/audit/service'
import { systemClock } from '@trunkline/server/platform/clock'
import { createExports } from '@trunkline/server/platform/csv'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { eventually } from '../eventually.ts'
import { providerForFile } from './for-file.ts'
import { LONDON, type Provider } from './provider.ts'

const provider = await providerForFile()
afterEach(() => provider.db.deleteFrom('routing_rules').execute())

type Share = { trunk_id: number; percent?: number }

async function addRule(mode: 'order' | 'share', trunks: Share[], quality: object = {}): Promise<void> {
  const { db, planId } = provider
  const { id } = await db
    .insertInto('routing_rules')
    .values({ plan_id: planId, country: 'GB', mode, updated_at: new Date(), ...quality })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = trunks.map((trunk, place) => ({ rule_id: id, place, percent: null, ...trunk }))
  await db.insertInto('routing_rule_trunks').values(rows).execute()
}

const invites = (carrier: { requests: { method?: string | undefined }[] }) =>
  carrier.requests.filter(({ method }) => method === 'INVITE').length

/** Two carriers. Without a rule, the cheap one comes first. */
async function twoCarriers(first: Parameters<Provider['harness']['carrier']>[0]) {
  const cheap = await provider.harness.carrier({ kind: 'echo', ringMs: 20 })
  const dear = await provider.harness.carrier(first)
  const cheapId = await provider.newTrunk(cheap, { name: 'Cheap', buy_rate_micros: 1_000n })
  const dearId = await provider.newTrunk(dear, { name: 'Dear', buy_rate_micros: 2_000n })
  const { id, account } = await provider.newCustomer()
  await provider.guard(id, { max_calls_per_second: 10_000, max_concurrent_calls: 10_000 })
  const phone = await provider.harness.phone({ account })
  const call = async () => {
    const made = await phone.call(LONDON)
    expect((await made.ended).status).toBe(200)
    expect((await made.hangUp()).status).toBe(200)
  }
  return { cheap, dear, cheapId, dearId, call }
}

it('sends calls in the order of the rule, and to the next trunk after a failure', async () => {
  const { cheap, dear, cheapId, dearId, call } = await twoCarriers({
    kind: 'refuse',
    code: 503,
    reason: 'Full',
  })
  await provider.settle()
  await call()
  expect([invites(cheap), invites(dear)]).toEqual([1, 0])
  await addRule('order', [{ trunk_id: dearId }, { trunk_id: cheapId }])
  await provider.settle()
  await call()
  expect([invites(cheap), invites(dear)]).toEqual([2, 1])
})

it('divides calls by the shares of the rule', async () => {
  const { cheap, dear, cheapId, dearId, call } = await twoCarriers({ kind: 'echo', ringMs: 20 })
  await addRule('share', [
    { trunk_id: cheapId, percent: 50 },
    { trunk_id: dearId, percent: 50 },
  ])
  await provider.settle()
  for (let count = 0; count < 24; count++) await call()
  expect(invites(cheap) + invites(dear)).toBe(24)
  // Each trunk misses 24 of 24 calls once in sixteen million runs.
  expect(invites(cheap)).toBeGreaterThan(0)
  expect(invites(dear)).toBeGreaterThan(0)
})

it('tries a trunk below its ASR threshold last, also after a kill of call control', async () => {
  const { cheap, dear, cheapId, dearId, call } = await twoCarriers({
    kind: 'refuse',
    code: 503,
    reason: 'Full',
  })
  const quality = { min_asr: 50, min_calls: 3, window_minutes: 30, rest_minutes: 20 }
  await addRule('order', [{ trunk_id: dearId }, { trunk_id: cheapId }], quality)
  await provider.settle()
  const { db } = provider
  const service = createTrunkQuality({
    db,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    figures: createCallFigures(db),
    alerts: createAlerts(db, systemClock),
    audit: createAudit(db, systemClock, createExports('')),
  })
  const isDemoted = async () => {
    await service.judge()
    const states = await db.selectFrom('routing_states').selectAll().where('trunk_id', '=', dearId).execute()
    return states.some(({ demoted_since }) => demoted_since !== null)
  }
  for (let count = 0; count < 3; count++) await call()
  expect(invites(dear)).toBe(3)
  await eventually(isDemoted, 'demotion')
  await provider.settle()
  // Some calls are trials of the demoted trunk.
  for (let count = 0; count < 4; count++) await call()
  expect(invites(dear)).toBeLessThan(3 + 4)
  const before = invites(dear)
  await provider.killControl()
  await provider.startControl()
  for (let count = 0; count < 4; count++) await call()
  expect(invites(dear)).toBeLessThan(before + 4)
  expect(invites(cheap)).toBe(3 + 8)
})
