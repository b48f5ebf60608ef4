import { readFile } from 'node:fs/promises'
import type { Dimension } from '@trunkline/contract/analysis'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { ask, withAdministrator } from '../../../../test/analysis.ts'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { signUp } from '../../../../test/portal.ts'
import { checkBooks } from '../../../main/check-books.ts'
import { insertCdrs, type NewCdr } from '../../calls/cdr/cdr-store.ts'

const NOW = '2026-04-02T09:41:00Z'
const MINUTE = 60_000

describe('the figures of the analysis', () => {
  it('by direction are the same for calls that were summed before the analysis had directions', async () => {
    const { services, database } = await withAdministrator(NOW)
    const { db, callFigures } = services
    const at = (day: number, direction: 'in' | 'out') =>
      aCdr({ startedAt: new Date(`2026-03-0${day}T08:00:00Z`), userId: null, direction })
    await insertCdrs(db, systemOwner, [at(1, 'in'), at(1, 'out'), at(1, 'out'), at(2, 'in'), at(3, 'out')])
    await callFigures.addQueued()
    const directions = async () => {
      const days = db.selectFrom('figure_days').selectAll().where('dimension', '=', 'direction')
      const quarters = db.selectFrom('figure_quarters').selectAll().where('dimension', '=', 'direction')
      return [
        await days.orderBy('day').orderBy('key').execute(),
        await quarters.orderBy('quarter').orderBy('key').execute(),
      ]
    }
    const summed = await directions()
    expect(summed.map(({ length }) => length)).toEqual([4, 4])
    await db.deleteFrom('figure_days').where('dimension', '=', 'direction').execute()
    await db.deleteFrom('figure_quarters').where('dimension', '=', 'direction').execute()
    await insertCdrs(db, systemOwner, [at(2, 'in')])
    const migration = new URL('../../../../../db/0049_figures_and_archives.sql', import.meta.url)
    await sql.raw(await readFile(migration, 'utf8')).execute(db)
    expect(await directions()).toEqual(summed)
    expect((await checkBooks(database.url)).isSound).toBe(true)
  })

  it('compare with the days before, and until the same time if the period is not over', async () => {
    const portal = await withAdministrator(NOW)
    const at = (startedAt: string) => aCdr({ startedAt: new Date(startedAt), userId: null })
    await insertCdrs(portal.services.db, systemOwner, [
      at('2026-04-02T08:00:00Z'),
      at('2026-04-01T08:00:00Z'),
      at('2026-04-01T09:29:00Z'),
      at('2026-04-01T12:00:00Z'),
      at('2026-03-31T12:00:00Z'),
    ])
    const today = (await ask(portal, { from: '2026-04-02', to: '2026-04-02' })).answer.analysis
    expect([today.totals.calls, today.before.calls]).toEqual([1, 2])
    expect(today.period_before).toEqual({ from: '2026-04-01', to: '2026-04-01', is_partial: true })
    expect(today.rows[0]?.before?.calls).toBe(2)
    const yesterday = (await ask(portal, { from: '2026-04-01', to: '2026-04-01' })).answer.analysis
    expect([yesterday.totals.calls, yesterday.before.calls]).toEqual([3, 1])
    expect(yesterday.period_before.is_partial).toBe(false)
  })

  it('name what they are grouped by, and keep what was deleted', async () => {
    const portal = await withAdministrator(NOW)
    const alice = await signUp(portal, 'alice')
    await insertCdrs(portal.services.db, systemOwner, [
      aCdr({ userId: alice.id, startedAt: new Date('2026-04-01T08:00:00Z'), trunkId: 77 }),
    ])
    const nameBy = async (by: Dimension) =>
      (await ask(portal, { from: '2026-04-01', to: '2026-04-01', by })).answer.analysis.rows.map(
        ({ key, name }) => [key, name],
      )
    expect(await nameBy('customer')).toEqual([[String(alice.id), 'alice']])
    expect(await nameBy('country')).toEqual([['GB', 'United Kingdom']])
    expect(await nameBy('carrier')).toEqual([['77', null]])
    expect(await nameBy('direction')).toEqual([['out', 'Outgoing']])
    expect(await nameBy('caller')).toEqual([['12025550100', '12025550100']])
  })

  it('cut weeks and months at the ends of the period', async () => {
    const portal = await withAdministrator(NOW)
    await insertCdrs(
      portal.services.db,
      systemOwner,
      Array.from({ length: 31 }, (_, day) =>
        aCdr({ startedAt: new Date(Date.parse('2026-03-01T12:00:00Z') + day * 24 * 60 * MINUTE) }),
      ),
    )
    const stepsBy = async (grain: string) =>
      (await ask(portal, { from: '2026-02-25', to: '2026-03-11', grain })).answer.analysis.series.map(
        ({ at, figures }) => [at, figures.calls],
      )
    expect(await stepsBy('month')).toEqual([
      ['2026-02-25', 0],
      ['2026-03-01', 11],
    ])
    expect(await stepsBy('week')).toEqual([
      ['2026-02-25', 1],
      ['2026-03-02', 7],
      ['2026-03-09', 3],
    ])
  })

  it('are sorted by any figure and exported completely', async () => {
    const portal = await withAdministrator(NOW)
    const call = (country: NewCdr['country'], seconds: number, status: NewCdr['status'] = 'completed') =>
      aCdr({ startedAt: new Date('2026-04-01T08:00:00Z'), country, seconds, status, callerId: '' })
    await insertCdrs(portal.services.db, systemOwner, [
      call('GB', 60),
      call('DE', 600),
      call('DE', 0, 'busy'),
      call('IN', 30),
      call('IN', 30),
      call('IN', 30),
    ])
    const sorted = async (sort: string, order: 'asc' | 'desc') =>
      (await ask(portal, { from: '2026-04-01', to: '2026-04-01', sort, order })).answer.analysis.rows.map(
        ({ key }) => key,
      )
    expect(await sorted('calls', 'desc')).toEqual(['IN', 'DE', 'GB'])
    expect(await sorted('minutes', 'asc')).toEqual(['GB', 'IN', 'DE'])
    expect(await sorted('answer_rate', 'asc')).toEqual(['DE', 'IN', 'GB'])
    const file = await portal.api.inject({
      url: '/api/admin/analysis.csv?from=2026-04-01&to=2026-04-01&sort=calls',
      headers: { authorization: `Bearer ${portal.token}` },
    })
    expect(file.body.trim().split('\n')).toEqual([
      'country,name,calls,answered,minutes,asr,ner,acd,pdd,revenue,cost,margin',
      'IN,India,3,3,1.50,100.0,100.0,30.0,1.0,0.015000,0.006000,0.009000',
      'DE,Germany,2,1,10.00,50.0,100.0,600.0,1.0,0.100000,0.040000,0.060000',
      'GB,United Kingdom,1,1,1.00,100.0,100.0,60.0,1.0,0.010000,0.004000,0.006000',
    ])
  })

  it('refuse a period that is reversed, too long, or too long for hours', async () => {
    const portal = await withAdministrator(NOW)
    for (const query of [
      { from: '2026-04-02', to: '2026-04-01' },
      { from: '2025-01-01', to: '2026-04-01' },
      { from: '2026-01-01', to: '2026-04-01', grain: 'hour' },
      { from: '2026-04-01', to: '2026-04-01', by: 'weather' },
      { from: '2026-04-01', to: '2026-04-01', timezone: 'Mars/Olympus' },
    ])
      expect((await ask(portal, query)).status).toBe(400)
  })

  it('include every call once, also if several processes add them', async () => {
    const portal = await withAdministrator(NOW)
    const { callFigures, db } = portal.services
    const calls = Array.from({ length: 400 }, () => aCdr({ startedAt: new Date('2026-04-01T08:00:00Z') }))
    await Promise.all([
      ...Array.from({ length: 8 }, (_, part) =>
        insertCdrs(db, systemOwner, calls.slice(part * 50, part * 50 + 50)),
      ),
      ...Array.from({ length: 8 }, () => callFigures.addQueued()),
    ])
    await insertCdrs(db, systemOwner, calls)
    await callFigures.addQueued()
    const { rows } = await sql<{ calls: number }>`
      select calls from figure_days where dimension = 'all'`.execute(db)
    expect(rows).toEqual([{ calls: 400 }])
    expect((await checkBooks(portal.database.url)).isSound).toBe(true)
  })
})
