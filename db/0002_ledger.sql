-- The ledger: who owns how much, and every movement that made it so. domain/ledger/README.md tells the rules.
-- Each index and key here was weighed: the tables take several rows for every call of the platform. (All foreign keys
-- together are a quarter of the time of a batch of settlements, and worth it.)

-- One row per user. Calls set money aside and spend it here, so the row of a busy customer changes hundreds of
-- times a second: pages are left half empty for the new versions, and no index but the key has to follow them.
create table accounts (
  user_id        integer primary key references users on delete cascade,
  balance_micros bigint not null default 0,
  held_micros    bigint not null default 0,
  constraint accounts_held_not_negative check (held_micros >= 0),
  constraint accounts_available_not_negative check (balance_micros - held_micros >= 0)
) with (fillfactor = 50);

-- Whoever makes a user makes the account: by a trigger, so that no way of making users can forget it.
create function open_account() returns trigger language plpgsql as $$
begin
  insert into accounts (user_id) values (new.id);
  return null;
end $$;
create trigger users_open_account after insert on users for each row execute function open_account();
insert into accounts (user_id) select id from users;

-- A posting is what happened, its entries are who gained and who lost by it. `user_id` points to the account, so a
-- user with a history cannot be deleted, and the check of the key meets a row that the same transaction has locked.
create table postings (
  id                   bigint generated always as identity primary key,
  key                  text not null unique check (length(key) between 1 and 300),
  -- The command in canonical form: tells a repeat from another command under the same key. A settlement is
  -- recognised by its hold and needs none.
  fingerprint          text,
  kind                 text not null check (kind in ('top_up', 'upgrade_purchase', 'promo_credit', 'adjustment',
                                                     'refund_to_balance', 'refund_paid_out', 'call_settlement')),
  user_id              integer not null references accounts,
  reference            text not null check (reference <> ''),
  reason               text,
  created_by           integer references users,
  at                   timestamptz not null,
  -- The customer's balance once this was posted. It is known anyway when the account row is locked, and a statement
  -- of any depth reads it instead of adding up what came before.
  balance_after_micros bigint not null,
  constraint postings_adjustment_has_reason check (kind <> 'adjustment' or coalesce(reason, '') <> ''),
  constraint postings_fingerprint check ((kind = 'call_settlement') = (fingerprint is null)),
  constraint postings_settlement_key check ((kind = 'call_settlement') = (key like 'settle:%'))
);
-- A customer's statement, newest first. Ids are given under the lock of the account row, so per user their order is
-- the order in which the balance changed.
create index postings_statement on postings (user_id, id);

create table entries (
  posting_id    bigint not null references postings,
  account       text not null check (account like 'customer:%' or account in (
                  'call_revenue', 'upgrade_revenue', 'payment_clearing', 'promotions', 'adjustments', 'refunds')),
  amount_micros bigint not null check (amount_micros <> 0),
  primary key (posting_id, account)
);
-- What came in and went out through the payment provider. Calls never touch this account, so they never pay for it.
create index entries_payments on entries (posting_id) include (amount_micros) where account = 'payment_clearing';

-- Money set aside for something live. No index knows the status or the amount, so extending and closing a hold
-- touches no index at all.
create table holds (
  hold_id        text primary key check (length(hold_id) between 1 and 200),
  user_id        integer not null references accounts,
  placed_micros  bigint not null check (placed_micros > 0),
  amount_micros  bigint not null check (amount_micros >= placed_micros),
  status         text not null check (status in ('open', 'settled', 'released')),
  settled_micros bigint not null check (settled_micros >= 0 and settled_micros <= amount_micros),
  placed_at      timestamptz not null,
  closed_at      timestamptz,
  constraint holds_only_settled_cost check (status = 'settled' or settled_micros = 0),
  constraint holds_closed_at check ((status = 'open') = (closed_at is null))
) with (fillfactor = 70);

-- What is written stays. A correction is another posting.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: the ledger is append-only', tg_op, tg_table_name
    using errcode = 'restrict_violation';
end $$;

create trigger postings_append_only before update or delete or truncate on postings
  for each statement execute function refuse_change();
create trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function refuse_change();
create trigger holds_kept before delete or truncate on holds
  for each statement execute function refuse_change();

-- An open hold may grow, or close once as it is. The condition is the trigger's own, so an allowed change costs no call.
create trigger holds_change_once before update on holds for each row
  when ((old.status = 'open'
         and (new.hold_id, new.user_id, new.placed_micros, new.placed_at)
           = (old.hold_id, old.user_id, old.placed_micros, old.placed_at)
         and case when new.status = 'open' then new.amount_micros >= old.amount_micros
                  else new.amount_micros = old.amount_micros end) is not true)
  execute function refuse_change();

-- Every posting sums to zero: judged once per statement over what it adds. As each addition sums to zero, so does the whole.
-- Measured on 50 settlements in one statement: this adds 1.4 % to their time, a deferred constraint trigger on postings 13 %,
-- one on entries 21 %. All that those would see in addition is a posting without any entries, and check-books finds it.
create function refuse_unbalanced() returns trigger language plpgsql as $$
begin
  if exists (select from added group by posting_id having sum(amount_micros) <> 0) then
    raise exception 'entries of a posting must sum to zero' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger entries_balanced after insert on entries referencing new table as added
  for each statement execute function refuse_unbalanced();
