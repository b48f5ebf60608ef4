-- What the operator's money screens ask: lists by time whatever else is asked, and two hands that edit one promo code.

-- Newest first is by time, not by number: rows that were brought in from elsewhere have the one and not the other.
drop index invoices_shown_state;
create index invoices_shown_state on invoices (shown_state, created_at, id);
create index invoices_kind on invoices (kind, created_at, id);
create index invoices_refundable on invoices (created_at, id) where refunded_micros < paid_micros;

-- Calls make nearly all postings and pay for none of these.
create index postings_without_calls on postings (user_id, id) where kind <> 'call_settlement';
create index postings_adjustments on postings (id) where kind = 'adjustment';

alter table promo_codes add column version integer not null default 1;

-- What the nightly check of the books found.
create table book_proofs (
  at     timestamptz primary key,
  faults integer not null check (faults >= 0)
);
