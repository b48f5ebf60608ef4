-- Changes of many prices by a rule: a preview with one row per price, applied at most once and undone at most once. Previews that nobody
-- applied are deleted, applied changes are kept.
create table price_changes (
  id             integer generated always as identity primary key,
  actor_id       integer not null references users,
  rule           jsonb not null,
  -- Rows by kind, and customers who selected a route with a changed price.
  counts         jsonb not null,
  -- Of the changed prices in the 30 days before the preview.
  calls          integer not null,
  revenue_micros bigint not null,
  effect_micros  bigint not null,
  created_at     timestamptz not null,
  applied_at     timestamptz,
  undone_at      timestamptz,
  undone_by      integer references users,
  restored       integer,
  constraint price_changes_undone check (
    num_nonnulls(undone_at, undone_by, restored) in (0, 3) and (undone_at is null or applied_at is not null))
);
create index price_changes_previews on price_changes (actor_id, id) where applied_at is null;
create index price_changes_applied on price_changes (id) where applied_at is not null;

-- Names are copied, because the history outlives routes, plans and trunks.
create table price_change_rows (
  change_id          integer not null references price_changes on delete cascade,
  place              integer not null,
  route_id           integer not null,
  country            text not null,
  route_name         text not null,
  plan_name          text not null,
  -- Empty for the route's own price.
  prefix             text not null,
  connect_fee_micros bigint not null,
  first_increment    integer not null,
  next_increment     integer not null,
  trunk_name         text,
  -- Of a one-minute call. Null without a usable trunk.
  cost_micros        bigint,
  before_micros      bigint not null check (before_micros >= 0),
  -- Null if the price is skipped.
  after_micros       bigint check (after_micros > 0),
  skipped            text,
  customers          integer not null,
  calls              integer not null,
  revenue_micros     bigint not null,
  effect_micros      bigint not null,
  undo               text check (undo in ('restored', 'changed', 'gone')),
  primary key (change_id, place),
  constraint price_change_rows_skipped check ((after_micros is null) = (skipped is not null))
);
