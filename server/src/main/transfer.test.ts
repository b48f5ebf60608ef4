import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask, asServerOwner, createTestDatabase, withDatabaseName } from '../../test/database.ts'
import { defineJob, openJobs } from '../platform/jobs.ts'
import { migrate, readMigrations } from '../platform/migrate.ts'
import { dumpDatabase, type Proof } from '../platform/transfer/dump.ts'
import { backUp, moveDatabase, restore } from './transfer.ts'

type Place = { url: string; name: string; ask(text: string): Promise<Record<string, unknown>[]> }

async function place(migrated: boolean): Promise<Place> {
  const { url, name, drop } = await createTestDatabase({ migrated })
  onTestFinished(drop)
  return { url, name, ask: (text) => ask(url, text) }
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'trunkline-transfer-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

const isEmpty = async ({ ask }: Place) =>
  (
    await ask(`select from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
               where n.nspname !~ '^(pg_|information)'`)
  ).length === 0

const nothing = () => {}

/** Checksums of all tables by name. */
const proofsOf = (url: string): Promise<Map<string, Proof>> =>
  dumpDatabase(url, async ({ contents }) => {
    const proofs = new Map<string, Proof>()
    for await (const { table, rows, proof } of contents) {
      for await (const _ of rows);
      proofs.set(`${table.schema}.${table.name}`, await proof())
    }
    return proofs
  })

/** Text that COPY must escape, including its end mark. */
const ODD = 'a\\b\tc\nd\r\n\\.\n\\N {"} é 漢 😀'

/** A small database with every difficult kind of data. */
async function aProvider(): Promise<Place> {
  const from = await place(true)
  await from.ask(`
    insert into users (username, password_hash, created_at) values ('alice', '', now()), ('bob', '', now()), ('gone', '', now());
    delete from users where username = 'gone';
    insert into postings (key, fingerprint, kind, user_id, reference, at, balance_after_micros)
      values ('k', 'f', 'top_up', 1, 'r', now(), 5000000);
    insert into entries values (1, 'customer:1', 5000000), (1, 'payment_clearing', -5000000);
    update accounts set balance_micros = 5000000 where user_id = 1;
    insert into invoices (user_id, kind, order_id, amount_micros, state, created_at) values (1, 'topup', 'o', 1, 'waiting', now());
    insert into alerts (kind, subject, message, details, first_at, last_at) values ('k', 's', '', '{"b": [1, null], "a": "ü"}', now(), now());
    insert into attempts select 'more than fits into memory at once ' || number, 1, now() from generate_series(1, 40000) as number;
    select make_cdr_month('2026-01-15'), make_cdr_month('2026-02-15');
    insert into cdrs (started_at, ended_at, cost_micros, buy_micros, seconds, billed_seconds, is_demo, call_id, switch_id, status, reason,
                      sip_account, source_address, caller_id, dialed, destination, attempts)
      select moment, moment, 0, 0, 0, 0, false, 'c' || number, 's', 'busy', '', '', '', '', '', '', '[]'
        from unnest(array['2026-01-31 23:59:59.999+00', '2026-02-01 00:00+00', '2031-05-05 12:00+00']::timestamptz[]) with ordinality as t (moment, number);
    alter table cdrs detach partition cdr_months.m2026_01`)
  await from.ask(
    `insert into tickets (user_id, subject, created_at, updated_at) values (2, ${pg.escapeLiteral(ODD)}, now(), now())`,
  )
  const jobs = await openJobs(from.url, nothing)
  await jobs.send(defineJob<{ email: string }>('send-reset-mail'), { email: 'alice@example.com' })
  await jobs.close()
  return from
}

describe('a moved or restored database', () => {
  it('has the same rows, sequences, constraints and triggers', async () => {
    const from = await aProvider()
    await from.ask('create table something_else (id int)')
    const [moved, restored] = [await place(false), await place(false)]
    const file = join(await folder(), 'backup')
    const tablesMoved: string[] = []
    const { leftOut, tables } = await moveDatabase(from.url, moved.url, (table) => tablesMoved.push(table))
    expect(leftOut).toEqual(['public.something_else'])
    expect(tablesMoved).toHaveLength(tables)
    await backUp(from.url, file)
    expect((await restore(file, restored.url, nothing)).leftOut).toEqual(leftOut)

    const all = await proofsOf(from.url)
    all.delete('public.something_else')
    for (const name of ['public.entries', 'pgboss.job', 'cdr_months.m2026_01', 'public.invoices'])
      expect(all.get(name)?.rows, name).toBeGreaterThan(0)
    for (const { url, ask } of [moved, restored]) {
      expect(await proofsOf(url)).toEqual(all)
      expect(await ask('select subject from tickets')).toEqual([{ subject: ODD }])
      expect(await ask('select tableoid::regclass::text as part from cdrs order by started_at')).toEqual([
        { part: 'cdr_months.m2026_02' },
        { part: 'cdr_months.other' },
      ])
      await ask(`insert into users (username, password_hash, created_at) values ('carol', '', now())`)
      expect(
        await ask('select max(user_id) as last, sum(balance_micros)::int as balance from accounts'),
      ).toEqual([{ last: 4, balance: 5_000_000 }])
      expect(await ask('select sum(users)::int as users from user_totals')).toEqual([{ users: 3 }])
      await expect(ask('delete from postings')).rejects.toThrow('append-only')
      expect(await ask(`select from pg_trigger where tgenabled <> 'O'`)).toEqual([])
    }
  })

  it('can come from an older release, whose tables are created and then migrated', async () => {
    const older = await folder()
    const db = new URL('../../../db/', import.meta.url)
    for (const name of (await readdir(db)).sort().slice(0, 10))
      await copyFile(new URL(name, db), join(older, name))
    const [from, to] = [await place(false), await place(false)]
    await migrate(from.url, { folder: pathToFileURL(`${older}/`) })
    await from.ask(`insert into users (username, password_hash, created_at) values ('alice', '', now())`)
    await moveDatabase(from.url, to.url, nothing)
    expect(await to.ask('select username, version from users')).toEqual([{ username: 'alice', version: 1 }])
    expect(await to.ask('select user_id from balance_order')).toEqual([{ user_id: 1 }])
    expect(await to.ask('select from migrations')).toHaveLength((await readMigrations()).length)
  })
})

describe('a transfer is refused', () => {
  it('into a database that is not empty, not owned, or has another encoding', async () => {
    const from = await place(true)
    const used = await place(false)
    await used.ask('create table mine (id int)')
    await expect(moveDatabase(from.url, used.url, nothing)).rejects.toThrow(
      `The database ${used.name} is not empty (it holds public.mine)`,
    )
    const foreign = await place(false)
    const role = `role_${foreign.name}`
    await asServerOwner(`create role ${role} login password 'secret'`)
    onTestFinished(() => asServerOwner(`drop role ${role}`))
    const asStranger = Object.assign(new URL(foreign.url), { username: role, password: 'secret' }).href
    await expect(moveDatabase(from.url, asStranger, nothing)).rejects.toThrow(
      `The role ${role} does not own the database ${foreign.name}`,
    )
    const latin = `latin_${foreign.name}`
    await asServerOwner(
      `create database ${latin} template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'`,
    )
    onTestFinished(() => asServerOwner(`drop database ${latin} with (force)`))
    await expect(moveDatabase(from.url, withDatabaseName(from.url, latin), nothing)).rejects.toThrow('LATIN1')
    expect(await isEmpty(foreign)).toBe(true)
  })

  it('from a newer release or a foreign database', async () => {
    const [from, to] = [await place(true), await place(false)]
    await expect(moveDatabase(to.url, to.url, nothing)).rejects.toThrow('holds nothing of Trunkline yet')
    await from.ask(`insert into migrations values (9999, '', '')`)
    await expect(moveDatabase(from.url, to.url, nothing)).rejects.toThrow('newer Trunkline')
    expect(await isEmpty(to)).toBe(true)
  })

  it('from a truncated, damaged or altered backup or another file', async () => {
    const [from, to] = [await aProvider(), await place(false)]
    const file = join(await folder(), 'backup')
    await backUp(from.url, file)
    await expect(backUp(from.url, file)).rejects.toThrow('is there already')
    const whole = await readFile(file)
    const text = gunzipSync(whole).toString('latin1')
    const cases: [Buffer, string][] = [
      [whole.subarray(0, whole.length - 100), 'is damaged'],
      [Buffer.concat([whole.subarray(0, 2_000), Buffer.alloc(50), whole.subarray(2_050)]), 'is damaged'],
      [gzipSync(Buffer.from(text.slice(0, -6), 'latin1')), 'not whole'],
      [
        gzipSync(
          Buffer.from(text.replace('payment_clearing\t-5000000', 'payment_clearing\t-4000000'), 'latin1'),
        ),
        'public.entries did not arrive',
      ],
      [gzipSync('Once upon a time\n'), 'no backup of Trunkline'],
      [Buffer.from('Once upon a time\n'), 'no backup of Trunkline'],
    ]
    for (const [content, words] of cases) {
      await writeFile(file, content)
      await expect(restore(file, to.url, nothing)).rejects.toThrow(words)
      expect(await isEmpty(to)).toBe(true)
    }
    await writeFile(file, whole)
    await restore(file, to.url, nothing)
  })
})
