-- Invoices of carriers, compared call by call with our records. The result stays as it was, even if trunks or records are deleted later.

create table carrier_invoices (
  id                         integer generated always as identity primary key,
  trunk_id                   integer not null,
  trunk_name                 text not null,
  name                       text not null check (length(name) between 1 and 100),
  file_name                  text not null check (length(file_name) <= 200),
  timezone                   text not null,
  period_from                timestamptz not null,
  -- Exclusive.
  period_to                  timestamptz not null check (period_to > period_from),
  match_tolerance_seconds    integer not null,
  duration_tolerance_seconds integer not null,
  price_tolerance_micros     bigint not null,
  state                      text not null default 'open' check (state in ('open', 'accepted', 'disputed')),
  note                       text not null default '' check (length(note) <= 2000),
  -- Lines that could not be read, of which the first are listed: [{line, reason, value}].
  fault_count                integer not null,
  faults                     jsonb not null,
  -- Lines without duration and amount.
  free_count                 integer not null,
  shift_minutes              integer,
  uploaded_by                integer references users on delete set null,
  uploaded_at                timestamptz not null,
  version                    integer not null default 1
);
create index carrier_invoices_trunk on carrier_invoices (trunk_id, id);
create index carrier_invoices_uploaded_by on carrier_invoices (uploaded_by);

create table carrier_invoice_sums (
  invoice_id      integer not null references carrier_invoices on delete cascade,
  kind            text not null check (kind in ('carrier_only', 'own_only', 'longer', 'shorter', 'price', 'equal')),
  calls           integer not null,
  carrier_seconds bigint not null,
  own_seconds     bigint not null,
  carrier_micros  bigint not null,
  own_micros      bigint not null,
  over_micros     bigint not null,
  under_micros    bigint not null,
  primary key (invoice_id, kind)
);

-- A line of the file, our call, or both.
create table carrier_invoice_calls (
  invoice_id             integer not null references carrier_invoices on delete cascade,
  position               integer not null,
  kind                   text not null check (kind in ('carrier_only', 'own_only', 'longer', 'shorter', 'price', 'equal')),
  -- Amount of the carrier minus our cost.
  difference_micros      bigint not null,
  -- The size of the difference with a minus sign, so that the primary key lists the largest first.
  sort_key               bigint not null check (sort_key <= 0),
  line                   integer,
  carrier_at             timestamptz(3),
  carrier_number         text,
  carrier_seconds        integer,
  carrier_billed_seconds integer,
  carrier_micros         bigint,
  carrier_caller         text,
  carrier_call_id        text,
  call_started_at        timestamptz(3),
  call_id                text,
  own_number             text,
  own_seconds            integer,
  own_micros             bigint,
  primary key (invoice_id, kind, sort_key, position),
  check (line is not null or call_id is not null)
);

-- When the item was listed, or listed again after it was resolved.
alter table payment_reviews add column open_since timestamptz;
update payment_reviews set open_since = created_at;
alter table payment_reviews alter column open_since set not null;
