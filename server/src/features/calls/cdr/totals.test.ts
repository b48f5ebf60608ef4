import { ownDataOf } from '@trunkline/domain/access'
import { callStatuses } from '@trunkline/domain/callcontrol'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { createTestLedger, systemOwner } from '../../../../test/ledger.ts'
import { createCallFigures } from '../figures/service.ts'
import { insertCdrs } from './cdr-store.ts'
import { addUp, partsOf } from './totals.ts'
import { sumRecords } from './totals-store.ts'

const START = Date.parse('2026-02-25T00:00:00Z')
const MINUTE = 60_000
const LENGTH = 5 * 24 * 60
const NOW = new Date(START + LENGTH * MINUTE)

/** Times that often fall on hour and day boundaries. */
const moment = fc
  .tuple(
    fc.integer({ min: -60, max: LENGTH + 60 }),
    fc.constantFrom(1, 30, 60, 1_440),
    fc.constantFrom(0, 0, 1),
  )
  .map(([minute, step, more]) => new Date(START + Math.floor(minute / step) * step * MINUTE + more))

it('gives the same totals from sums and boundary records as from the records alone', async () => {
  const { db, newUser } = await createTestLedger()
  const users = [await newUser(), await newUser()]
  const calls = Array.from({ length: 600 }, (_, index) =>
    aCdr({
      userId: users[index % 3] ?? null,
      status: callStatuses[index % 4 === 0 ? index % 6 : 0] ?? 'completed',
      country: index % 5 === 0 ? 'US' : 'GB',
      startedAt: new Date(START + Math.floor((index * LENGTH * MINUTE) / 600 / (15 * MINUTE)) * 15 * MINUTE),
    }),
  )
  await insertCdrs(
    db,
    systemOwner,
    calls.filter((_, index) => index % 7 !== 0),
  )
  await createCallFigures(db).addQueued()
  // The figures do not have the first day, as if an older release had archived it, and some calls are still queued.
  await sql`delete from figure_days where day < '2026-02-26Z'`.execute(db)
  await insertCdrs(db, systemOwner, calls)
  const any = fc.record(
    {
      from: moment,
      to: moment,
      status: fc.constantFrom(...callStatuses),
      country: fc.constantFrom('GB', 'US', 'FR'),
      userId: fc.constantFrom(...users),
      search: fc.constantFrom('4420', '99999'),
      minSeconds: fc.constantFrom(0, 60, 61),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(any, fc.boolean(), async (filter, isOwn) => {
      const owner = isOwn ? ownDataOf({ userId: users[0] ?? 0, isAdmin: false }) : systemOwner
      expect(await addUp(db, owner, filter, NOW)).toEqual(await sumRecords(db, owner, filter, 1_000_000))
    }),
    { numRuns: 150 },
  )
})

it('adds up the calls of callers from the figures of the analysis and from records that are still queued', async () => {
  const { db } = await createTestLedger()
  const callers = ['12025550100', '12025550101', '1202555010', '442079460000', '']
  const calls = Array.from({ length: 400 }, (_, index) =>
    aCdr({
      userId: null,
      callerId: callers[index % callers.length] ?? '',
      status: callStatuses[index % 3 === 0 ? index % 6 : 0] ?? 'completed',
      startedAt: new Date(START + Math.floor((index * LENGTH * MINUTE) / 400 / (5 * MINUTE)) * 5 * MINUTE),
    }),
  )
  const some = calls.filter((_, index) => index % 7 !== 0)
  await insertCdrs(db, systemOwner, some)
  await createCallFigures(db).addQueued()
  await insertCdrs(db, systemOwner, calls)
  const any = fc.record(
    {
      from: moment,
      to: moment,
      callerId: fc.constantFrom('1', '120255501', '12025550100', '44', '7'),
      status: fc.constantFrom('busy' as const, undefined),
    },
    { requiredKeys: ['callerId'] },
  )
  await fc.assert(
    fc.asyncProperty(any, async (filter) => {
      expect(await addUp(db, systemOwner, filter, NOW)).toEqual(
        await sumRecords(db, systemOwner, filter, 1_000_000),
      )
    }),
    { numRuns: 150 },
  )
  // All of them, and still exact when the queue is empty.
  const sum = async () => (await addUp(db, systemOwner, { callerId: '1' }, NOW)).calls
  expect(await sum()).toBe(240)
  await createCallFigures(db).addQueued()
  expect(await sum()).toBe(240)
})

it('reads no records for a period of whole days and hours', () => {
  const at = (time: string) => new Date(`2026-03-${time}Z`)
  const parts = partsOf({ from: at('01T21:30:00'), to: at('09T02:00:00') }, NOW)
  expect(parts).toEqual({
    days: [{ from: at('02T00:00:00'), to: at('09T00:00:00') }],
    hours: [
      { from: at('01T22:00:00'), to: at('02T00:00:00') },
      { from: at('09T00:00:00'), to: at('09T02:00:00') },
    ],
    records: [{ from: at('01T21:30:00'), to: at('01T22:00:00') }],
  })
  expect(partsOf({}, NOW)).toEqual({ days: [{}], hours: [], records: [] })
})

it('reports when the totals cover only the newest matches', async () => {
  const { db } = await createTestLedger()
  const calls = [1, 2, 3, 4].map((hour) =>
    aCdr({ startedAt: new Date(START + hour * 60 * MINUTE), seconds: hour }),
  )
  await insertCdrs(db, systemOwner, calls)
  expect(await sumRecords(db, systemOwner, {}, 4)).toMatchObject({ calls: 4, seconds: 10, isCapped: false })
  expect(await sumRecords(db, systemOwner, {}, 3)).toMatchObject({ calls: 3, seconds: 9, isCapped: true })
})
