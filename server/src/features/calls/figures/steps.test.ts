import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { createPortal } from '../../../../test/portal.ts'
import { checkBooks } from '../../../main/check-books.ts'
import { insertCdrs } from '../cdr/cdr-store.ts'

it('the figures of weeks follow the days, those of blocks the quarters of an hour, and the books notice a difference', async () => {
  const { services, database } = await createPortal({}, { startsAt: '2026-04-02T09:41:00Z' })
  const { db, callFigures } = services
  const at = (startedAt: string) => aCdr({ startedAt: new Date(startedAt), userId: null })
  const weeks = async () =>
    (
      await db
        .selectFrom('figure_weeks')
        .select(['week', 'calls'])
        .where('dimension', '=', 'all')
        .orderBy('week')
        .execute()
    ).map(({ week, calls }) => [week.toISOString().slice(0, 10), calls])
  const blocks = async () =>
    (
      await db
        .selectFrom('figure_blocks')
        .select(['block', 'calls'])
        .where('dimension', '=', 'all')
        .orderBy('block')
        .execute()
    ).map(({ block, calls }) => [block.toISOString().slice(0, 16), calls])
  // A Sunday, the Monday after it, and once more the same days.
  for (let round = 1; round <= 2; round++) {
    await insertCdrs(db, systemOwner, [at('2026-03-08T23:59:00Z'), at('2026-03-09T00:00:00Z')])
    await callFigures.addQueued()
    expect(await weeks()).toEqual([
      ['2026-03-02', round],
      ['2026-03-09', round],
    ])
  }
  expect(await blocks()).toEqual([
    ['2026-03-08T18:00', 2],
    ['2026-03-09T00:00', 2],
  ])
  expect((await checkBooks(database.url)).isSound).toBe(true)
  const changeBlocks = (by: number) => sql`update figure_blocks set rang = rang + ${by}`.execute(db)
  await changeBlocks(1)
  expect((await checkBooks(database.url)).isSound).toBe(false)
  await changeBlocks(-1)
  expect((await checkBooks(database.url)).isSound).toBe(true)
  await sql`update figure_weeks set rang = rang + 1 where dimension = 'all' and week = '2026-03-09Z'`.execute(
    db,
  )
  expect((await checkBooks(database.url)).isSound).toBe(false)
})
