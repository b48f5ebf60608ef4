-- Call records, and what is added up from them as they are written. Every call of the platform ends here, so indexes are two,
-- and nothing points elsewhere: a record tells what was true at the time and outlives the route and the trunk it names.

-- For searching in numbers. Trusted: whoever owns the database may create it.
create extension if not exists pg_trgm;

-- Monthly partitions live in a schema of their own.
create schema cdr_months;

create table cdrs (
  -- With the call's name the key of a record: it keeps a call from being written twice, orders the platform's list and finds
  -- one record again. Milliseconds, as the switch tells them.
  started_at         timestamptz(3) not null,
  ringing_at         timestamptz(3),
  -- Set for every call that was completed and for no other.
  answered_at        timestamptz(3),
  ended_at           timestamptz(3) not null,
  cost_micros        bigint not null check (cost_micros >= 0),
  buy_micros         bigint not null check (buy_micros >= 0),
  price_micros       bigint,
  connect_fee_micros bigint,
  -- Null where nobody knows who called.
  user_id            integer,
  route_id           integer,
  trunk_id           integer,
  -- Talked, and paid for.
  seconds            integer not null check (seconds >= 0),
  billed_seconds     integer not null check (billed_seconds >= 0),
  first_increment    integer,
  next_increment     integer,
  sip_code           integer,
  is_demo            boolean not null,
  call_id            text not null,
  switch_id          text not null,
  status             text not null check (status in ('completed', 'busy', 'no-answer', 'cancelled', 'failed', 'refused')),
  reason             text not null,
  sip_account        text not null,
  source_address     text not null,
  caller_id          text not null,
  -- As dialled, and as E.164 digits; the latter is empty where what was dialled is no number.
  dialed             text not null,
  destination        text not null,
  country            text,
  line_type          text,
  route_name         text,
  plan_name          text,
  rate_prefix        text,
  trunk_name         text,
  -- Trunks that were tried, in order: [{trunk, name, code, reason}].
  attempts           jsonb not null,
  hung_up_by         text,
  primary key (started_at, call_id),
  constraint cdrs_completed check ((status = 'completed') = (answered_at is not null)),
  -- What was not answered took no time and no money: a sum over all calls is a sum over completed ones.
  constraint cdrs_unanswered_is_free check
    (status = 'completed' or (seconds = 0 and billed_seconds = 0 and cost_micros = 0 and buy_micros = 0))
) partition by range (started_at);
-- A customer's list. Calls of one customer in one millisecond are few: their order needs no column here.
create index cdrs_user on cdrs (user_id, started_at);

-- What the search of a list looks through: caller and destination as they are shown, in small letters (of ASCII: rules of a language
-- would take longer than all the rest). Months and days that are over get an index of its trigrams (features/cdr/search-store.ts); what
-- is written to has none: it took a quarter off the records written per second, and made some wait for half a second.
create function cdr_numbers(caller_id text, sip_account text, destination text, dialed text) returns text
  language sql immutable parallel safe
  return lower((case when caller_id = '' then sip_account else '+' || caller_id end || ' '
             || case when destination = '' then dialed else '+' || destination end) collate "C");

-- Catches what no month was made for, so that no call is ever lost for want of a partition.
create table cdr_months.other partition of cdrs default;

-- Makes the partition of the month (UTC) that a moment falls in; true when it was not there. What waited in the default partition
-- moves over. Attached rather than created in place: that locks writers of the other months out for no moment.
create function make_cdr_month(moment timestamptz) returns boolean language plpgsql as $$
declare
  first_day constant timestamptz := date_trunc('month', moment, 'UTC');
  next_day  constant timestamptz := date_trunc('month', first_day + interval '32 days', 'UTC');
  name      constant text := to_char(first_day at time zone 'UTC', '"m"YYYY_MM');
begin
  -- Two servers that start together make it one after the other.
  perform pg_advisory_xact_lock(hashtext('make_cdr_month'));
  if to_regclass('cdr_months.' || name) is not null then return false; end if;
  execute format('create table cdr_months.%I (like cdrs including all)', name);
  if exists (select from cdr_months.other where started_at >= first_day and started_at < next_day) then
    lock table cdr_months.other in share row exclusive mode;
    execute format('with moved as (delete from cdr_months.other where started_at >= $1 and started_at < $2 returning *)
                    insert into cdr_months.%I select * from moved', name) using first_day, next_day;
  end if;
  execute format('alter table cdrs attach partition cdr_months.%I for values from (%L) to (%L)', name, first_day, next_day);
  return true;
end $$;

-- Sums, written by the statement that writes the records (features/cdr/cdr-store.ts): a record that is there already is not
-- counted again. Hours and days begin where UTC's do. Rows change many times: pages leave room for the new versions.

create table account_hours (
  user_id        integer not null,
  hour           timestamptz not null,
  calls          integer not null,
  completed      integer not null,
  busy           integer not null,
  no_answer      integer not null,
  cancelled      integer not null,
  failed         integer not null,
  refused        integer not null,
  seconds        bigint not null,
  billed_seconds bigint not null,
  cost_micros    bigint not null,
  buy_micros     bigint not null,
  primary key (user_id, hour)
) with (fillfactor = 70);

-- Country is empty and route 0 where there was none.
create table account_days (
  user_id        integer not null,
  day            timestamptz not null,
  country        text not null,
  route_id       integer not null,
  calls          integer not null,
  completed      integer not null,
  busy           integer not null,
  no_answer      integer not null,
  cancelled      integer not null,
  failed         integer not null,
  refused        integer not null,
  seconds        bigint not null,
  billed_seconds bigint not null,
  cost_micros    bigint not null,
  buy_micros     bigint not null,
  primary key (user_id, day, country, route_id)
) with (fillfactor = 70);

-- Sums of the whole platform are in shards: were they one row, every batch of calls would wait for the one before to reach the
-- disk. What is over is brought together in shard 0 by a job.
create table platform_hours (
  hour           timestamptz not null,
  shard          integer not null,
  calls          integer not null,
  completed      integer not null,
  busy           integer not null,
  no_answer      integer not null,
  cancelled      integer not null,
  failed         integer not null,
  refused        integer not null,
  seconds        bigint not null,
  billed_seconds bigint not null,
  cost_micros    bigint not null,
  buy_micros     bigint not null,
  primary key (hour, shard)
) with (fillfactor = 50);

create table platform_days (
  day            timestamptz not null,
  shard          integer not null,
  country        text not null,
  route_id       integer not null,
  calls          integer not null,
  completed      integer not null,
  busy           integer not null,
  no_answer      integer not null,
  cancelled      integer not null,
  failed         integer not null,
  refused        integer not null,
  seconds        bigint not null,
  billed_seconds bigint not null,
  cost_micros    bigint not null,
  buy_micros     bigint not null,
  primary key (day, shard, country, route_id)
) with (fillfactor = 50);

-- Of trunks it is attempts that count: a call that two carriers refused and a third took is three.
create table trunk_days (
  day         timestamptz not null,
  shard       integer not null,
  trunk_id    integer not null,
  attempts    integer not null,
  answered    integer not null,
  -- Refusals that are no fault of the trunk: the called side was busy, did not answer, or the caller gave up.
  unreached   integer not null,
  seconds     bigint not null,
  cost_micros bigint not null,
  buy_micros  bigint not null,
  primary key (day, shard, trunk_id)
) with (fillfactor = 50);
