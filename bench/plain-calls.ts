import type { Measured } from './measure.ts'
import { findPgbench, prepareTables, runPgbench } from './two-row-transaction.ts'

/**
 * Baseline without call control: pgbench writes the same rows of a call in plain durable transactions. The first places the hold and
 * inserts the live call. The second deletes the call, settles the hold and writes the posting, the record and its sums.
 */
const BEGIN = `begin;
update plain_accounts set held = held + 60 where id = :id;
insert into plain_holds values (:call, :id, 60, 60, 'open', 0, now(), null);
insert into plain_calls select :call, :id, filler from plain_filler;
commit;
`
const END = `begin;
delete from plain_calls where call = :call;
update plain_accounts set held = held - 60, balance = balance - 31 where id = :id;
update plain_holds set status = 'settled', settled = 31, closed_at = now() where call = :call;
insert into plain_postings (key, account, at, balance_after) values (:call, :id, now(), 0);
insert into plain_entries values (:call, 'customer', -31), (:call, 'call_revenue', 31);
insert into plain_records select now(), :call, :id, filler from plain_filler;
insert into plain_sums values (:id, 1, 31) on conflict (id) do update set calls = plain_sums.calls + 1, cost = plain_sums.cost + 31;
commit;
`
const CHOICE = `\\set id random(1, :accounts)
\\set call random(1, 4000000000000000000)
`

const TABLES = `
  create table plain_accounts (id integer primary key, balance bigint not null, held bigint not null) with (fillfactor = 50);
  insert into plain_accounts select n, 1000000000, 0 from generate_series(1, 1000) as n;
  create table plain_holds (call bigint primary key, account integer not null, placed bigint, amount bigint, status text,
                            settled bigint, placed_at timestamptz, closed_at timestamptz) with (fillfactor = 70);
  create table plain_filler (filler text);
  insert into plain_filler values (repeat('a call in words ', 20));
  create table plain_calls (call bigint primary key, account integer not null, filler text);
  create index on plain_calls (account);
  create table plain_postings (key bigint primary key, account integer not null, at timestamptz, balance_after bigint);
  create index on plain_postings (account, key);
  create table plain_entries (posting bigint, account text, amount bigint, primary key (posting, account));
  create table plain_records (at timestamptz, call bigint, account integer, filler text, primary key (at, call));
  create index on plain_records (account, at);
  create table plain_sums (id integer primary key, calls bigint, cost bigint) with (fillfactor = 50);`

export async function preparePlainCalls(url: string): Promise<void> {
  await prepareTables(url, TABLES, 'plain_accounts')
}

/** Null without pgbench. */
export async function measurePlainCalls(
  url: string,
  kind: 'authorize' | 'whole',
  accounts: number,
  clients: number,
  seconds: number,
): Promise<Measured | null> {
  const pgbench = await findPgbench()
  if (!pgbench) return null
  const script = CHOICE + BEGIN + (kind === 'whole' ? END : '')
  return runPgbench(pgbench, url, script, accounts, clients, seconds)
}
