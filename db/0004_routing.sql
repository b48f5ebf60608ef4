-- What can be called, over whom, at which price, and who may: everything call control keeps in memory.

create table plans (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 100),
  created_at timestamptz not null
);
create unique index plans_name on plans (lower(name));

-- What a customer picks for a country. Country codes are ISO 3166 (two letters), or 001 for numbers of no country.
create table routes (
  id                  integer generated always as identity primary key,
  country             text not null check (country ~ '^([A-Z]{2}|001)$'),
  name                text not null check (length(name) between 1 and 100),
  plan_id             integer not null references plans,
  price_micros        bigint not null check (price_micros >= 0),
  connect_fee_micros  bigint not null default 0 check (connect_fee_micros >= 0),
  first_increment     integer not null default 1 check (first_increment between 1 and 3600),
  next_increment      integer not null default 1 check (next_increment between 1 and 3600),
  is_premium          boolean not null default false,
  -- An administrator has said that this route may use trunks that cost more than it earns.
  sells_below_cost    boolean not null default false,
  -- Grows with every change: whoever edits says which version they saw.
  version             integer not null default 1,
  created_at          timestamptz not null,
  updated_at          timestamptz not null
);
create index routes_country on routes (country);
create index routes_plan on routes (plan_id);

-- Finer rates of a route: the longest prefix that the number begins with wins.
create table route_rates (
  route_id            integer not null references routes on delete cascade,
  prefix              text not null check (prefix ~ '^[0-9]{1,15}$'),
  price_micros        bigint not null check (price_micros >= 0),
  connect_fee_micros  bigint not null default 0 check (connect_fee_micros >= 0),
  first_increment     integer not null default 1 check (first_increment between 1 and 3600),
  next_increment      integer not null default 1 check (next_increment between 1 and 3600),
  primary key (route_id, prefix)
);

-- A carrier's gateway.
create table trunks (
  id              integer generated always as identity primary key,
  name            text not null check (length(name) between 1 and 100),
  provider        text not null default '' check (length(provider) <= 100),
  type            text not null default 'sip' check (type in ('sip', 'pstn')),
  -- Null: serves every country.
  country         text check (country ~ '^([A-Z]{2}|001)$'),
  host            text not null check (length(host) between 1 and 255),
  port            integer not null default 5060 check (port between 1 and 65535),
  transport       text not null default 'udp' check (transport in ('udp', 'tcp', 'tls')),
  -- What we answer the carrier's challenge with. Written, never answered by the API.
  auth_username   text check (length(auth_username) <= 200),
  auth_password   text check (length(auth_password) <= 200),
  -- The number as the carrier wants it: so many digits taken off its front, then this put before it.
  strip_digits    integer not null default 0 check (strip_digits between 0 and 15),
  add_prefix      text not null default '' check (add_prefix ~ '^[0-9+*#]{0,20}$'),
  capacity        integer not null default 30 check (capacity between 1 and 100000),
  buy_rate_micros bigint not null default 0 check (buy_rate_micros >= 0),
  status          text not null default 'active' check (status in ('active', 'inactive')),
  -- Lower comes first.
  priority        integer not null default 100 check (priority between 1 and 10000),
  is_primary      boolean not null default false,
  version         integer not null default 1,
  created_at      timestamptz not null,
  updated_at      timestamptz not null
);
-- One first choice per country, and one among those that serve every country.
create unique index trunks_primary on trunks (coalesce(country, '*')) where is_primary;

-- What the carrier charges by prefix; the longest wins, `buy_rate_micros` where none fits.
create table trunk_rates (
  trunk_id     integer not null references trunks on delete cascade,
  prefix       text not null check (prefix ~ '^[0-9]{1,15}$'),
  price_micros bigint not null check (price_micros >= 0),
  primary key (trunk_id, prefix)
);

create table trunk_plans (
  trunk_id integer not null references trunks on delete cascade,
  plan_id  integer not null references plans on delete cascade,
  primary key (trunk_id, plan_id)
);
create index trunk_plans_plan on trunk_plans (plan_id);

create table selected_routes (
  user_id     integer not null references users on delete cascade,
  country     text not null,
  route_id    integer not null references routes on delete cascade,
  selected_at timestamptz not null,
  primary key (user_id, country)
);
create index selected_routes_route on selected_routes (route_id);

create table caller_ids (
  user_id    integer primary key references users on delete cascade,
  callerid   text not null check (callerid ~ '^[0-9]{7,16}$'),
  countrycode text not null default '',
  name       text not null default '' check (length(name) <= 200),
  updated_at timestamptz not null
);

-- Limits of one account in two layers: what the administrator set stands in place of the defaults, what the customer set
-- can only tighten it. Null: this layer says nothing.
create table guards (
  user_id              integer not null references users on delete cascade,
  set_by               text not null check (set_by in ('admin', 'customer')),
  max_concurrent_calls integer check (max_concurrent_calls between 0 and 100000),
  max_calls_per_second integer check (max_calls_per_second between 0 and 10000),
  daily_spend_micros   bigint check (daily_spend_micros >= 0),
  max_price_micros     bigint check (max_price_micros >= 0),
  allowed_countries    text[],
  blocked_countries    text[],
  is_high_risk_allowed boolean,
  are_calls_stopped    boolean,
  updated_at           timestamptz not null,
  primary key (user_id, set_by)
);

-- Settings of the service that an administrator changes while it runs.
create table service_settings (
  name       text primary key,
  value      text not null,
  updated_at timestamptz not null
);

-- Something a person should know. While it is open, the same thing again only counts up.
create table alerts (
  id              integer generated always as identity primary key,
  kind            text not null check (length(kind) between 1 and 60),
  -- What it is about, e.g. user:12 or trunk:3; with the kind it makes an alert the same.
  subject         text not null check (length(subject) between 1 and 200),
  user_id         integer references users on delete cascade,
  message         text not null check (length(message) <= 1000),
  details         jsonb not null default '{}',
  times           integer not null default 1,
  first_at        timestamptz not null,
  last_at         timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by integer references users,
  constraint alerts_acknowledged check ((acknowledged_at is null) = (acknowledged_by is null))
);
create unique index alerts_open on alerts (kind, subject) where acknowledged_at is null;
create index alerts_user on alerts (user_id, id);

-- Call control keeps all of the above in memory and hears here what to read again. Rows of `users` change for sessions'
-- sake nowhere, so every change of one matters.
create function tell_call_control() returns trigger language plpgsql as $$
begin
  perform pg_notify('call_control', tg_argv[0] || ':' || case when tg_op = 'DELETE'
    then to_jsonb(old) ->> tg_argv[1] else to_jsonb(new) ->> tg_argv[1] end);
  return null;
end $$;

create trigger users_told           after insert or update or delete on users           for each row execute function tell_call_control('user', 'id');
create trigger caller_ids_told      after insert or update or delete on caller_ids      for each row execute function tell_call_control('user', 'user_id');
create trigger selected_routes_told after insert or update or delete on selected_routes for each row execute function tell_call_control('user', 'user_id');
create trigger guards_told          after insert or update or delete on guards          for each row execute function tell_call_control('user', 'user_id');
create trigger routes_told          after insert or update or delete on routes          for each row execute function tell_call_control('route', 'id');
create trigger route_rates_told     after insert or update or delete on route_rates     for each row execute function tell_call_control('route', 'route_id');
create trigger plans_told           after update or delete           on plans           for each row execute function tell_call_control('plan', 'id');
create trigger trunks_told          after insert or update or delete on trunks          for each row execute function tell_call_control('trunk', 'id');
create trigger trunk_plans_told     after insert or update or delete on trunk_plans     for each row execute function tell_call_control('trunk', 'trunk_id');
create trigger trunk_rates_told     after insert or update or delete on trunk_rates     for each row execute function tell_call_control('trunk', 'trunk_id');
