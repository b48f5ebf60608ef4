-- Figures for the analysis of administrators: per quarter of an hour and per day (UTC), by carrier, country, prefix, route, customer,
-- caller ID and SIP code. Every time zone differs from UTC by whole quarters of an hour. Key is empty for calls without a value, and for
-- the dimension "all".

create table figure_quarters (
  dimension     text not null,
  quarter       timestamptz not null,
  key           text not null,
  -- By carrier, an attempt counts as a call.
  calls         integer not null,
  answered      integer not null,
  -- Includes answered, busy, unanswered and canceled calls.
  reached       integer not null,
  rang          integer not null,
  ring_delay_ms bigint not null,
  seconds       bigint not null,
  cost_micros   bigint not null,
  buy_micros    bigint not null,
  primary key (dimension, quarter, key)
) with (fillfactor = 80);
create index figure_quarters_key on figure_quarters (dimension, key, quarter);

create table figure_days (
  dimension     text not null,
  day           timestamptz not null,
  key           text not null,
  calls         integer not null,
  answered      integer not null,
  reached       integer not null,
  rang          integer not null,
  ring_delay_ms bigint not null,
  seconds       bigint not null,
  cost_micros   bigint not null,
  buy_micros    bigint not null,
  primary key (dimension, day, key)
) with (fillfactor = 80);
create index figure_days_key on figure_days (dimension, key, day);

-- Records that the figures do not include yet. The worker adds them every few seconds (features/calls/figures). A trigger fills the
-- queue, so that processes of the previous release, which still run during an update, fill it too.
create table unsummed_calls (
  started_at timestamptz(3) not null,
  call_id    text not null
);

create function queue_unsummed_calls() returns trigger language plpgsql as $$
begin
  insert into unsummed_calls (started_at, call_id) select started_at, call_id from inserted;
  return null;
end $$;

create trigger cdrs_unsummed after insert on cdrs referencing new table as inserted
  for each statement execute function queue_unsummed_calls();

insert into unsummed_calls (started_at, call_id) select started_at, call_id from cdrs;

-- The filters by carrier and by prefix use another index now (features/calls/cdr/search-store.ts). The nightly job creates it.
do $$
declare
  index name;
begin
  for index in select c.relname from pg_class as c
                where c.relnamespace = 'cdr_months'::regnamespace and c.relkind = 'i' and c.relname ~ '^m[0-9]{4}_[0-9]{2}_facts' loop
    execute format('drop index cdr_months.%I', index);
  end loop;
end $$;

-- Views of a list or report that a user has named: the query string of its address.
create table saved_views (
  id         integer generated always as identity primary key,
  user_id    integer not null references users on delete cascade,
  screen     text not null check (screen in ('analysis', 'calls', 'cdr')),
  name       text not null,
  query      text not null,
  created_at timestamptz not null,
  unique (user_id, screen, name)
);

-- The report of the past week, mailed to the recipients of alerts on Monday in this time zone. Null turns it off.
alter table alert_settings
  add column weekly_report_timezone text,
  add column weekly_report_sent date;
