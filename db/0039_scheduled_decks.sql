-- Imported rate decks of trunks and routes: planned for a later time, applied or canceled.
create table rate_decks (
  id           integer generated always as identity primary key,
  trunk_id     integer references trunks on delete cascade,
  route_id     integer references routes on delete cascade,
  mode         text not null check (mode in ('replace', 'merge')),
  effective_at timestamptz not null,
  -- Lines of the file, and changes by kind: compared with the rates at the time of planning, or as applied.
  line_count   integer not null,
  counts       jsonb not null,
  -- Prefixes of skipped lines. Their rates stay unchanged.
  untouched    text[] not null default '{}',
  created_by   integer not null references users,
  created_at   timestamptz not null,
  applied_at   timestamptz,
  canceled_at  timestamptz,
  constraint rate_decks_owner check (num_nonnulls(trunk_id, route_id) = 1),
  constraint rate_decks_end check (num_nonnulls(applied_at, canceled_at) <= 1)
);
create index rate_decks_trunk on rate_decks (trunk_id, effective_at);
create index rate_decks_route on rate_decks (route_id, effective_at);
create index rate_decks_planned on rate_decks (effective_at, id) where applied_at is null and canceled_at is null;

-- Lines of planned decks.
create table planned_rates (
  deck_id            integer not null references rate_decks on delete cascade,
  line               integer not null,
  prefix             text not null check (prefix ~ '^[0-9]{1,15}$'),
  price_micros       bigint not null check (price_micros >= 0),
  connect_fee_micros bigint not null check (connect_fee_micros >= 0),
  first_increment    integer not null check (first_increment between 1 and 3600),
  next_increment     integer not null check (next_increment between 1 and 3600),
  primary key (deck_id, prefix)
);
