-- Payments: invoices at the provider, everything that was ever reported of them, what did not fit, refunds, promo
-- codes, and who of the administrators did what. domain/payments/README.md tells the rules.

create table promo_codes (
  id             integer generated always as identity primary key,
  -- Kept in capitals: letter case does not matter.
  code           text not null check (code = upper(code) and length(code) between 1 and 40),
  type           text not null check (type in ('percentage', 'fixed_amount', 'account_credit')),
  basis_points   integer check (basis_points between 1 and 10000),
  amount_micros  bigint check (amount_micros > 0),
  expires_at     timestamptz,
  total_limit    integer check (total_limit > 0),
  per_user_limit integer check (per_user_limit > 0),
  active         boolean not null,
  created_by     integer not null references users,
  created_at     timestamptz not null,
  constraint promo_codes_value check (
    (type = 'percentage') = (basis_points is not null) and (type = 'percentage') = (amount_micros is null))
);
create unique index promo_codes_code on promo_codes (code);

create table invoices (
  id              integer generated always as identity primary key,
  user_id         integer not null references users,
  kind            text not null check (kind in ('topup', 'upgrade')),
  order_id        text not null,
  -- The provider's name for it; null until it answered.
  track_id        text,
  amount_micros   bigint not null check (amount_micros > 0),
  state           text not null check (state in ('creating', 'unknown', 'waiting', 'paying', 'paid', 'underpaid',
                                                 'expired', 'refunding', 'refunded', 'failed')),
  is_credited     boolean not null default false,
  has_expired     boolean not null default false,
  -- What the provider says arrived; the most it ever said.
  received_micros bigint check (received_micros >= 0),
  -- What we booked as paid, and what of it and of a bonus reached the balance.
  paid_micros     bigint not null default 0 check (paid_micros >= 0),
  credited_micros bigint not null default 0 check (credited_micros >= 0),
  refunded_micros bigint not null default 0,
  open_reviews    integer not null default 0 check (open_reviews >= 0),
  payment_url     text,
  expires_at      timestamptz,
  created_at      timestamptz not null,
  paid_at         timestamptz,
  -- When the reconciler asks next; null when there is nothing more to ask.
  next_poll_at    timestamptz,
  -- What people are shown, always in step with the row and ready for an index.
  shown_state     text not null generated always as (case
    when refunded_micros > 0 and refunded_micros >= paid_micros then 'refunded'
    when refunded_micros > 0 then 'partly_refunded'
    when state in ('refunded', 'refunding') then state
    when is_credited then 'completed'
    when state = 'underpaid' then 'underpaid'
    when open_reviews > 0 then 'in_review'
    when state in ('expired', 'failed', 'paying') then state
    else 'pending' end) stored,
  constraint invoices_refunded_at_most_paid check (refunded_micros between 0 and paid_micros),
  constraint invoices_credited_is_paid check (is_credited = (paid_micros > 0))
);
create unique index invoices_order on invoices (order_id text_pattern_ops);
create unique index invoices_track on invoices (track_id);
create index invoices_user on invoices (user_id, id);
create index invoices_shown_state on invoices (shown_state, id);
create index invoices_created on invoices (created_at, id);
create index invoices_amount on invoices (amount_micros, id);
create index invoices_due on invoices (next_poll_at) where next_poll_at is not null;

-- Every report of the provider and every step of ours, as it came.
create table invoice_events (
  id              bigint generated always as identity primary key,
  -- Null where the report fits no invoice of ours.
  invoice_id      integer references invoices,
  at              timestamptz not null,
  source          text not null check (source in ('us', 'callback', 'poll', 'admin')),
  track_id        text,
  status          text check (length(status) <= 100),
  received_micros bigint,
  outcome         text[] not null,
  actor_id        integer references users,
  note            text,
  -- The report whole, for the day when somebody has to prove what was said.
  report          jsonb
);
create index invoice_events_invoice on invoice_events (invoice_id, id);
create trigger invoice_events_append_only before update or delete or truncate on invoice_events
  for each statement execute function refuse_change();

-- Money that came under, over, late, or to nobody: once for each reason.
create table payment_reviews (
  id              integer generated always as identity primary key,
  invoice_id      integer references invoices,
  track_id        text,
  order_id        text,
  reason          text not null check (reason in ('underpaid', 'overpaid', 'late', 'refunded_after_credit',
                                                  'unmatched', 'unrecognised')),
  amount_micros   bigint,
  credited_micros bigint not null default 0 check (credited_micros >= 0),
  -- How often it was credited: an item that was raised afterwards may be credited again, under another key.
  credits         integer not null default 0,
  state           text not null default 'open' check (state in ('open', 'credited', 'ignored')),
  created_at      timestamptz not null,
  resolved_at     timestamptz,
  resolved_by     integer references users,
  resolution      text,
  constraint payment_reviews_resolved check (
    (state = 'open') = (resolved_at is null) and (state = 'open') = (resolved_by is null))
);
create unique index payment_reviews_of_invoice on payment_reviews (invoice_id, reason);
create unique index payment_reviews_of_track on payment_reviews (track_id, reason) where invoice_id is null;
create index payment_reviews_state on payment_reviews (state, id);

create table refunds (
  id            integer generated always as identity primary key,
  invoice_id    integer not null references invoices,
  user_id       integer not null references users,
  amount_micros bigint not null check (amount_micros > 0),
  destination   text not null check (destination in ('balance', 'paid_out')),
  reference     text check (destination = 'balance' or reference <> ''),
  reason        text not null check (reason <> ''),
  -- Asked for without an amount: the same request later means the same refund, not the rest.
  was_whole     boolean not null,
  request_key   text not null,
  created_by    integer not null references users,
  created_at    timestamptz not null
);
create unique index refunds_request on refunds (request_key);
create index refunds_invoice on refunds (invoice_id);
create trigger refunds_append_only before update or delete or truncate on refunds
  for each statement execute function refuse_change();

-- reserved: promised to a top-up that is still to be paid; it counts against the limits as `used` does.
create table promo_redemptions (
  id            integer generated always as identity primary key,
  promo_code_id integer not null references promo_codes,
  user_id       integer not null references users,
  invoice_id    integer references invoices,
  bonus_micros  bigint not null check (bonus_micros > 0),
  state         text not null check (state in ('reserved', 'used', 'released')),
  created_at    timestamptz not null,
  used_at       timestamptz,
  constraint promo_redemptions_used_at check ((state = 'used') = (used_at is not null))
);
create unique index promo_redemptions_invoice on promo_redemptions (invoice_id) where state <> 'released';
create index promo_redemptions_state on promo_redemptions (promo_code_id, state);
create index promo_redemptions_user on promo_redemptions (promo_code_id, user_id) where state <> 'released';

-- What payments brought in. Sixteen rows that are added up when asked: no scan of the payments, and no single row
-- that every payment queues for.
create table payment_totals (
  shard       smallint primary key,
  paid_micros bigint not null default 0,
  payments    bigint not null default 0
);
insert into payment_totals (shard) select generate_series(0, 15);

create table audit_log (
  id       bigint generated always as identity primary key,
  at       timestamptz not null,
  actor_id integer not null references users,
  action   text not null,
  subject  text not null,
  -- The customer whose money or account it was, if it was anybody's.
  user_id  integer references users,
  before   jsonb,
  after    jsonb,
  reason   text
);
create index audit_log_actor on audit_log (actor_id, id);
create index audit_log_user on audit_log (user_id, id);
create index audit_log_action on audit_log (action, id);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
