import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { system } from '@trunkline/domain/access'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { checkBooks } from '../../../main/check-books.ts'
import { insertCdrs, type NewCdr } from '../cdr/cdr-store.ts'
import { createCdrMonths } from '../cdr/months.ts'
import { writeRecordId } from '../cdr/record-id.ts'
import { archiveBefore, verifyArchives } from './service.ts'

const systemOwner = system('test')
const MARCH = new Date('2026-03-01T00:00:00Z')

/** Calls, audit entries, alerts and payment events of January, February and March. */
async function withPast() {
  const portal = await createPortal({}, { startsAt: '2026-06-15T12:00:00Z' })
  const { db, clock } = portal.services
  const alice = await signUp(portal, 'alice')
  const user =
    (await sql<{ id: number }>`select id from users where username = 'alice'`.execute(db)).rows[0]?.id ?? 0
  const months = createCdrMonths(db, clock, pino({ level: 'silent' }))
  const at = (day: string) => new Date(`2026-${day}T11:00:00.000Z`)
  const records: NewCdr[] = ['01-05', '01-31', '02-10', '03-02'].flatMap((day) => [
    aCdr({ startedAt: at(day), userId: user }),
    aCdr({ startedAt: at(day), userId: user, status: 'no-answer', dialed: 'two "lines"\nof text' }),
  ])
  await insertCdrs(db, systemOwner, records)
  await months.makeAhead()
  await sql`insert into audit_log (at, actor_id, action, subject) select moment, ${user}, 'test', 'a "subject"
    of two lines' from unnest(${['2026-01-07', '2026-03-07']}::timestamptz[]) as moment`.execute(db)
  await sql`insert into alerts (kind, subject, message, first_at, last_at, acknowledged_at, acknowledged_by) values
    ('a', 'x', 'done', '2026-01-07', '2026-01-07', '2026-01-08', ${user}), ('a', 'y', 'open', '2026-01-07', '2026-01-07', null, null)`.execute(
    db,
  )
  await sql`insert into invoice_events (at, source, outcome) values ('2026-02-07', 'us', '{}')`.execute(db)
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-archive-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const archive = async (before = MARCH) => {
    const done = []
    for await (const one of archiveBefore(portal.database.url, before, folder)) done.push(one)
    return done
  }
  const count = async (table: string) =>
    Number((await sql<{ n: bigint }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]?.n)
  return { ...portal, db, alice, user, records, months, folder, archive, count }
}

it('moves old months to verifiable files; the sums stay and the ledger check passes', async () => {
  const past = await withPast()
  const { database, db, folder, count, records } = past
  const sums = await count('account_hours')
  expect(await past.archive()).toEqual([
    { source: 'cdrs', month: '2026-01', file: 'calls-2026-01.csv.gz', rows: 4 },
    { source: 'cdrs', month: '2026-02', file: 'calls-2026-02.csv.gz', rows: 2 },
    { source: 'audit_log', month: '2026-01', file: 'audit-log-2026-01.csv.gz', rows: 1 },
    { source: 'alerts', month: '2026-01', file: 'alerts-2026-01.csv.gz', rows: 1 },
    { source: 'invoice_events', month: '2026-02', file: 'payment-events-2026-02.csv.gz', rows: 1 },
  ])
  expect(await past.archive()).toEqual([])
  expect(
    await Promise.all(['cdrs', 'audit_log', 'alerts', 'invoice_events', 'account_hours'].map(count)),
  ).toEqual([...[2, 1, 1, 0, sums]])
  const text = gunzipSync(await readFile(join(folder, 'calls-2026-01.csv.gz'))).toString()
  expect(text.split('\n')[0]).toContain('started_at,ringing_at,answered_at,ended_at,cost_micros')
  for (const { callId } of records.slice(0, 4)) expect(text).toContain(callId)
  await expect(sql`delete from audit_log`.execute(db)).rejects.toThrow('append-only')

  expect((await checkBooks(database.url)).isSound).toBe(true)
  expect(await verifyArchives(database.url, folder)).toEqual({ count: 5, faults: [] })
  await appendFile(join(folder, 'calls-2026-01.csv.gz'), 'x')
  await rm(join(folder, 'alerts-2026-01.csv.gz'))
  expect((await verifyArchives(database.url, folder)).faults.sort()).toEqual([
    'alerts-2026-01.csv.gz is missing or cannot be read',
    'calls-2026-01.csv.gz is not the file that was written',
  ])
  // The check detects a changed sum of an archived month.
  await sql`update account_hours set cost_micros = cost_micros + 1 where hour < ${MARCH}`.execute(db)
  const { isSound, checks } = await checkBooks(database.url)
  expect(isSound).toBe(false)
  expect(checks.flatMap(({ faults }) => faults)[0]).toBe(
    'account_hours of 2026-01 is not what it was when its records were archived',
  )
})

it('reports that the details of a call are archived', async () => {
  const past = await withPast()
  const [first, last] = [past.records[0] as NewCdr, past.records.at(-1) as NewCdr]
  const find = (record: NewCdr) =>
    past.call('GET /api/cdr/:id', {
      token: past.alice.token,
      params: { id: writeRecordId(record) },
      query: { timezone: 'UTC' },
    })
  await past.archive()
  expect(await find(first)).toMatchObject({ status: 410, code: 'archived' })
  expect(await find(last)).toMatchObject({ status: 200 })
})

it('counts a late record of an archived month, archives it later, and the ledger check passes', async () => {
  const past = await withPast()
  await past.archive()
  await insertCdrs(past.db, systemOwner, [
    aCdr({ startedAt: new Date('2026-01-20T10:00:00Z'), userId: past.user }),
  ])
  await past.months.makeAhead()
  expect((await checkBooks(past.database.url)).isSound).toBe(true)
  expect(await past.archive()).toEqual([
    { source: 'cdrs', month: '2026-01', file: 'calls-2026-01.2.csv.gz', rows: 1 },
  ])
  expect((await checkBooks(past.database.url)).isSound).toBe(true)
  expect(await verifyArchives(past.database.url, past.folder)).toEqual({ count: 6, faults: [] })
})

it('keeps a month with wrong sums in the database', async () => {
  const past = await withPast()
  await sql`update platform_hours set calls = calls + 1 where hour < '2026-02-01'`.execute(past.db)
  await expect(past.archive()).rejects.toThrow('2026-01 was not archived: its sums in platform_hours')
  expect(await past.count('cdrs')).toBe(8)
  expect(await readdir(past.folder)).toEqual(['calls-2026-01.csv.gz'])
})

it('moves replays of ended calls with their steps and legs, and keeps calls in progress', async () => {
  const { db, user, archive, folder, count } = await withPast()
  const call = { user_id: user, kind: 'flow' as const, media_id: 'one' }
  const at = (moment: string) => ({ media_started_at: new Date(moment), started_at: new Date(moment) })
  const ended_at = new Date('2026-01-07T11:01:00Z')
  await db
    .insertInto('media_calls')
    .values([
      { ...call, ...at('2026-01-07T11:00:00Z'), call_id: 'ended', ended_at },
      { ...call, ...at('2026-01-07T11:00:00Z'), call_id: 'in progress' },
      { ...call, ...at('2026-03-07T11:00:00Z'), call_id: 'new', ended_at },
    ])
    .execute()
  const entry = (stepId: string) => JSON.stringify({ at: 1, type: 'entered', stepId })
  await db
    .insertInto('media_call_steps')
    .values([
      { call_id: 'ended', position: 2, entry: entry('menu') },
      { call_id: 'ended', position: 1, entry: entry('hours') },
      { call_id: 'new', position: 1, entry: entry('hours') },
    ])
    .execute()
  const leg = { media_id: 'one', user_id: user, destination: '{}', created_at: ended_at, step: 2 }
  await db
    .insertInto('media_legs')
    .values([
      { ...leg, token: 'first', parent_call_id: 'ended', call_id: 'the leg' },
      { ...leg, token: 'second', parent_call_id: 'new', call_id: 'another leg' },
    ])
    .execute()
  expect(await archive()).toContainEqual({
    source: 'media_calls',
    month: '2026-01',
    file: 'replays-2026-01.csv.gz',
    rows: 1,
  })
  const text = gunzipSync(await readFile(join(folder, 'replays-2026-01.csv.gz'))).toString()
  expect(text).toMatch(/^call_id,.*,legs,steps\nended,/)
  expect(text).toContain('the leg')
  expect(text.indexOf('hours')).toBeLessThan(text.indexOf('menu'))
  expect([await count('media_calls'), await count('media_call_steps'), await count('media_legs')]).toEqual([
    2, 1, 1,
  ])
})
