-- Telephone numbers that customers rent. `numbers` is the inventory; a rental is one customer's use of a number.
create table numbers (
  id                  integer generated always as identity primary key,
  -- E.164 digits.
  e164                text not null unique check (e164 ~ '^[1-9][0-9]{5,14}$'),
  country             text not null check (country ~ '^([A-Z]{2}|001)$'),
  area                text not null default '' check (length(area) <= 100),
  type                text not null check (type in ('local', 'mobile', 'national', 'toll_free')),
  -- The carrier that delivers its calls. Null: any carrier that may send calls.
  trunk_id            integer references trunks on delete set null,
  -- Prices for customers: rent of a month, set-up fee, and an incoming minute.
  monthly_micros      bigint not null check (monthly_micros >= 0),
  setup_micros        bigint not null check (setup_micros >= 0),
  price_micros        bigint not null check (price_micros >= 0),
  -- Cost at the carrier: a month, and an incoming minute.
  cost_monthly_micros bigint not null default 0 check (cost_monthly_micros >= 0),
  cost_micros         bigint not null default 0 check (cost_micros >= 0),
  -- Simultaneous calls.
  max_calls           integer not null default 10 check (max_calls between 1 and 1000),
  tags                text[] not null default '{}',
  note                text not null default '' check (length(note) <= 500),
  status              text not null check (status in ('available', 'reserved', 'blocked', 'rented')),
  -- The customer who rents it, or for whom it is reserved.
  user_id             integer references users,
  created_at          timestamptz not null,
  version             integer not null default 1,
  constraint numbers_user check (case status when 'rented' then user_id is not null when 'reserved' then true else user_id is null end)
);
create index numbers_search on numbers (country, type, e164);
create index numbers_user on numbers (user_id) where user_id is not null;
create index numbers_trunk on numbers (trunk_id) where trunk_id is not null;

create table number_rentals (
  id             integer generated always as identity primary key,
  -- Null after the number was deleted from the inventory.
  number_id      integer references numbers on delete set null,
  e164           text not null,
  user_id        integer not null references users,
  -- Fixed for the whole rental.
  monthly_micros bigint not null check (monthly_micros >= 0),
  setup_micros   bigint not null check (setup_micros >= 0),
  price_micros   bigint not null check (price_micros >= 0),
  -- grace: the renewal could not be paid, the number still rings. suspended: it does not ring. ended: it was released.
  state          text not null check (state in ('active', 'grace', 'suspended', 'ended')),
  started_at     timestamptz not null,
  -- The last paid period, and its end. Each period is a month counted from the start.
  periods        integer not null check (periods >= 1),
  paid_until     timestamptz not null,
  -- The customer wants it to end with the period.
  cancels        boolean not null default false,
  -- The period whose renewal the customer was warned about.
  warned_period  integer,
  -- When the grace period began, and when the number was suspended.
  overdue_since  timestamptz,
  suspended_at   timestamptz,
  ended_at       timestamptz,
  end_reason     text check (end_reason in ('cancelled', 'unpaid', 'released')),
  -- Where it rings: domain/ringing.
  ring_plan      jsonb not null,
  -- The request that rented it. A repeat of the request changes nothing.
  request_key    text not null unique,
  -- Changes of the customer. Renewals do not count.
  version        integer not null default 1,
  constraint number_rentals_ended check ((state = 'ended') = (ended_at is not null) and (ended_at is null) = (end_reason is null)),
  constraint number_rentals_overdue check ((state in ('grace', 'suspended')) <= (overdue_since is not null)),
  constraint number_rentals_suspended check ((state = 'suspended') <= (suspended_at is not null))
);
create unique index number_rentals_number on number_rentals (number_id) where state <> 'ended';
create index number_rentals_history on number_rentals (number_id);
create index number_rentals_user on number_rentals (user_id);
create index number_rentals_due on number_rentals (paid_until) where state <> 'ended';

-- Imports of number lists. A repeat of a request changes nothing.
create table number_imports (
  request_key text primary key,
  -- Hash of the file.
  fingerprint text not null,
  imported    integer not null,
  updated     integer not null,
  skipped     integer not null,
  imported_by integer not null references users,
  imported_at timestamptz not null
);

create trigger numbers_told after insert or update or delete on numbers
  for each row execute function tell_call_control('number', 'id');
create trigger number_rentals_told after insert or update or delete on number_rentals
  for each row execute function tell_call_control('rental', 'number_id');

-- A rented number is a proven caller ID.
create trigger number_rentals_user_told after insert or update or delete on number_rentals
  for each row execute function tell_call_control('user', 'user_id');
create trigger service_settings_told after insert or update or delete on service_settings
  for each row execute function tell_call_control('setting', 'name');

-- Alerts about renewals are mailed wherever alerts about trunks are.
alter table alert_settings
  alter mail_topics set default '{large_top_up,guard_fired,unusual_spend,trunk_down,trunk_quality,unreleased_call,overload,failed_sign_ins,payment_review,number_rent}';
update alert_settings
   set mail_topics = array_append(mail_topics, 'number_rent')
 where 'trunk_down' = any (mail_topics);

-- Rent and set-up fees.
alter table postings drop constraint postings_kind_check;
alter table postings add constraint postings_kind_check check (kind in ('top_up', 'upgrade_purchase', 'promo_credit', 'adjustment',
  'refund_to_balance', 'refund_paid_out', 'call_settlement', 'number_rent'));
alter table entries drop constraint entries_account_check;
alter table entries add constraint entries_account_check check (account like 'customer:%' or account in (
  'call_revenue', 'upgrade_revenue', 'payment_clearing', 'promotions', 'adjustments', 'refunds', 'number_revenue'));
