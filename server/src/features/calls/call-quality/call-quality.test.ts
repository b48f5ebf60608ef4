import type { MediaQuality, SideQuality } from '@trunkline/domain/media-quality'
import fc from 'fast-check'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { createTestLedger, faultsOf, systemOwner } from '../../../../test/ledger.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import { insertCdrs, type NewCdr } from '../cdr/cdr-store.ts'
import { matchesFilter } from '../cdr/filter-store.ts'
import { createCdrMonths } from '../cdr/months.ts'

/** What a side heard. Null: it sent no reports. */
const heard = (mos: number | null, lossPercent = 0, jitterMs = 0): SideQuality => ({
  codec: 'PCMA/8000',
  packetsSent: 500,
  reports: mos === null ? 0 : 4,
  mos,
  lowestMos: mos,
  lossPercent: mos === null ? null : lossPercent,
  lostPackets: null,
  jitterMs: mos === null ? null : jitterMs,
  highestJitterMs: null,
  roundTripMs: null,
})
const between = (phone: SideQuality, carrier: SideQuality | null): MediaQuality => ({ phone, carrier })
const at = (time: string) => new Date(`2026-04-${time}Z`)

async function portalWith(callsOf: (userId: number) => NewCdr[]) {
  const portal = await createPortal({}, { startsAt: '2026-04-20T10:00:00Z' })
  const alice = await signUp(portal, 'alice')
  await insertCdrs(portal.services.db, systemOwner, callsOf(alice.id))
  const quality = async (query: { from?: string; to?: string } = {}) =>
    (await portal.call('GET /api/cdr/quality', { token: alice.token, query })).answer.quality
  return { portal, alice, quality }
}

it('sums the calls of a customer by country, each with the side that heard worse', async () => {
  const { quality } = await portalWith((userId) => [
    aCdr({
      userId,
      startedAt: at('10T10:10:00'),
      seconds: 90,
      media: between(heard(4.4, 0.1, 3), heard(3.2, 8, 40)),
    }),
    aCdr({
      userId,
      startedAt: at('10T10:59:00'),
      seconds: 30,
      media: between(heard(4.2, 1, 8), heard(null)),
    }),
    aCdr({ userId, startedAt: at('10T11:00:00'), media: between(heard(null), null) }),
    aCdr({ userId, startedAt: at('11T00:00:00'), status: 'busy' }),
    aCdr({
      userId,
      startedAt: at('11T00:00:00'),
      country: 'US',
      media: between(heard(3.6), heard(4)),
    }),
    aCdr({ userId, startedAt: at('11T00:00:00'), country: null, status: 'refused' }),
  ])
  const uk = {
    country: 'United Kingdom',
    calls: 4,
    completed: 3,
    answer_rate: 75,
    average_duration: 60,
    measured: 2,
    mos: 3.7,
    poor: 1,
    poor_share: 50,
    loss_percent: 4.5,
    jitter_ms: 24,
  }
  const { all, countries } = await quality()
  expect(countries).toEqual([
    uk,
    expect.objectContaining({
      country: null,
      calls: 1,
      completed: 0,
      measured: 0,
      mos: null,
      poor_share: null,
    }),
    expect.objectContaining({ country: 'United States', measured: 1, mos: 3.6, poor: 0, poor_share: 0 }),
  ])
  expect(all).toMatchObject({ calls: 6, completed: 4, measured: 3, poor: 1, poor_share: 33.3 })
  // Half hours come from the records.
  expect((await quality({ from: '2026-04-10T10:30:00Z', to: '2026-04-10T11:30:00Z' })).all).toMatchObject({
    calls: 2,
    measured: 1,
    mos: 4.2,
  })
})

it('has no figures for a customer without calls', async () => {
  const { quality } = await portalWith(() => [])
  expect(await quality()).toMatchObject({ all: { calls: 0, measured: 0, mos: null }, countries: [] })
})

it('shows a customer only their own calls', async () => {
  const { portal, alice } = await portalWith((userId) => [
    aCdr({ userId, startedAt: at('10T10:10:00'), media: between(heard(2), null) }),
  ])
  const { token } = await signUp(portal, 'mallory')
  const asked = (query: Record<string, string | number>) =>
    portal.call('GET /api/cdr/quality', { token, query })
  // From the sums of hours, and from records.
  const periods: Record<string, string>[] = [{}, { from: '2026-04-10T10:05:00Z', to: '2026-04-10T10:15:00Z' }]
  for (const query of periods)
    expect((await asked(query)).answer.quality).toMatchObject({ all: { calls: 0 }, countries: [] })
  expect(await asked({ user: alice.id })).toMatchObject({ status: 400, code: 'invalid_input' })
})

it('equals the sum of the records for any period', async () => {
  const START = Date.parse('2026-04-10T00:00:00Z')
  const mos = fc.option(fc.integer({ min: 10, max: 45 }).map((tenths) => tenths / 10))
  const side = fc
    .tuple(mos, fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 900 }))
    .map(([score, loss, jitter]) => heard(score, loss / 10, jitter / 10))
  const call = fc.record({
    minute: fc.integer({ min: 0, max: 600 }),
    country: fc.constantFrom('GB', 'US'),
    isAnswered: fc.boolean(),
    media: fc.option(fc.record({ phone: side, carrier: fc.option(side) })),
  })
  const [made] = fc.sample(fc.array(call, { minLength: 300, maxLength: 300 }), { numRuns: 1, seed: 7 })
  const records = (made ?? []).map(({ minute, country, isAnswered, media }) => ({
    country,
    at: START + minute * MINUTE,
    isAnswered,
    media: isAnswered ? media : null,
  }))
  const { portal, alice, quality } = await portalWith(() => [])
  const calls = records.map(({ country, at: start, isAnswered, media }) => {
    const status = isAnswered ? 'completed' : 'busy'
    return aCdr({ userId: alice.id, country, startedAt: new Date(start), status, media })
  })
  // In two batches, each of which adds to the same hours.
  await insertCdrs(portal.services.db, systemOwner, calls.slice(0, 150))
  await portal.services.callFigures.addQueued()
  await insertCdrs(portal.services.db, systemOwner, calls.slice(150))
  const moment = fc.option(fc.integer({ min: -30, max: 630 }).map((minute) => START + minute * MINUTE))
  await fc.assert(
    fc.asyncProperty(moment, moment, fc.constantFrom('GB', 'US'), async (from, to, country) => {
      const within = records.filter(
        (one) => one.country === country && one.at >= (from ?? START) && one.at < (to ?? Number.MAX_VALUE),
      )
      const scores = within.flatMap(({ media }) => {
        const sides = [media?.phone.mos, media?.carrier?.mos].filter((score) => typeof score === 'number')
        return sides.length > 0 ? [Math.min(...sides)] : []
      })
      const query = {
        ...(from !== null && { from: new Date(from).toISOString() }),
        ...(to !== null && { to: new Date(to).toISOString() }),
      }
      const name = country === 'GB' ? 'United Kingdom' : 'United States'
      const row = (await quality(query)).countries.find((one) => one.country === name)
      expect(row?.calls ?? 0).toBe(within.length)
      expect(row?.completed ?? 0).toBe(within.filter(({ isAnswered }) => isAnswered).length)
      expect(row?.measured ?? 0).toBe(scores.length)
      expect(row?.poor ?? 0).toBe(scores.filter((score) => score < 3.6).length)
      const sum = scores.reduce((total, score) => total + Math.round(score * 10), 0)
      expect(row?.mos ?? null).toBe(scores.length === 0 ? null : Math.round(sum / scores.length) / 10)
    }),
    { numRuns: 40 },
  )
  expect(faultsOf(await portal.services.books.check())).toEqual([])
  await sql`update quality_hours set poor = poor + 1 where country = 'GB'`.execute(portal.services.db)
  expect(faultsOf(await portal.services.books.check())).not.toEqual([])
})

it('filters records by quality in lists, totals and exports', async () => {
  const { portal, alice } = await portalWith((userId) => [
    aCdr({ userId, callId: 'sw1/poor', media: between(heard(4.4), heard(3.5)) }),
    aCdr({ userId, callId: 'sw1/fair', media: between(heard(3.6), null) }),
    aCdr({ userId, callId: 'sw1/good', media: between(heard(4), heard(null)) }),
    aCdr({ userId, callId: 'sw1/unknown', media: between(heard(null), null) }),
  ])
  const { token } = alice
  for (const quality of ['good', 'fair', 'poor'] as const) {
    const { answer } = await portal.call('GET /api/cdr', { token, query: { quality } })
    expect(answer.records.map(({ uniqueid }) => uniqueid)).toEqual([`sw1/${quality}`])
    const { totals } = (await portal.call('GET /api/cdr/totals', { token, query: { quality } })).answer
    expect(totals.calls).toBe(1)
    const file = await portal.api.inject({
      url: `/api/cdr.csv?quality=${quality}`,
      headers: { authorization: `Bearer ${token}` },
    })
    expect(file.body.trim().split('\n')).toHaveLength(2)
  }
})

it('finds the poor calls of a customer by an index', async () => {
  const { db, clock, newUser } = await createTestLedger()
  const months = createCdrMonths(db, clock, pino({ level: 'silent' }))
  const userId = await newUser()
  const start = clock.now().getTime()
  await months.makeAhead()
  const calls = Array.from({ length: 2_000 }, (_, index) =>
    aCdr({
      userId,
      startedAt: new Date(start + index * MINUTE),
      media: between(heard(index % 500 === 0 ? 3 : 4.3), null),
    }),
  )
  await insertCdrs(db, systemOwner, calls)
  clock.advance(3 * DAY)
  await months.tidy()
  const to = new Date(start + 2 * DAY - 12 * 60 * MINUTE)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select from cdrs where ${matchesFilter(systemOwner, { userId, quality: 'poor', to }, true)}`.execute(
    db,
  )
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('_poor_')
})
