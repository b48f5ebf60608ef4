-- Named limits that administrators apply to customers. Null means the default. Stopping all calls is no limit and not part of it.
create table limit_templates (
  id                   integer generated always as identity primary key,
  name                 text not null check (length(name) between 1 and 60),
  max_concurrent_calls integer check (max_concurrent_calls >= 0),
  max_calls_per_second integer check (max_calls_per_second >= 0),
  daily_spend_micros   bigint check (daily_spend_micros >= 0),
  max_price_micros     bigint check (max_price_micros >= 0),
  allowed_countries    text[],
  blocked_countries    text[],
  is_high_risk_allowed boolean,
  version              integer not null default 1,
  updated_at           timestamptz not null
);
create unique index limit_templates_name on limit_templates (lower(name));

-- The template that a user got last, with its name and limits at that time: a template that changes later changes no customer.
create table applied_templates (
  user_id     integer primary key references users on delete cascade,
  template_id integer references limit_templates on delete set null,
  name        text not null,
  limits      jsonb not null,
  applied_at  timestamptz not null,
  applied_by  integer references users on delete set null
);
create index applied_templates_template on applied_templates (template_id);

-- Actions on many users: a preview with one row per user, applied at most once. Kept for a day.
create table bulk_actions (
  id         integer generated always as identity primary key,
  actor_id   integer not null references users on delete cascade,
  action     jsonb not null,
  created_at timestamptz not null,
  applied_at timestamptz
);
create index bulk_actions_created on bulk_actions (created_at);

create table bulk_rows (
  bulk_id integer not null references bulk_actions on delete cascade,
  -- Order of the preview: users who change, then users who are skipped.
  place   integer not null,
  user_id integer not null references users on delete cascade,
  -- Null if the user changes.
  skipped text,
  before  jsonb not null,
  after   jsonb not null,
  primary key (bulk_id, place)
);
create index bulk_rows_user on bulk_rows (user_id);

-- The account of a duplicate that was merged into another one. It stays disabled and keeps its call records and payments.
alter table users add column merged_into integer references users;
create index users_merged_into on users (merged_into) where merged_into is not null;

create table account_merges (
  id           integer generated always as identity primary key,
  from_id      integer not null references users,
  into_id      integer not null references users,
  moved_micros bigint not null check (moved_micros >= 0),
  request_key  text not null unique,
  merged_by    integer not null references users,
  merged_at    timestamptz not null
);

-- A merged account gets no new invoice. The lock waits for a merge that is under way, and a merge waits for it.
create function refuse_invoice_of_merged() returns trigger language plpgsql as $$
declare
  merged integer;
begin
  select merged_into into merged from users where id = new.user_id for share;
  if merged is not null then
    raise exception 'account % was merged into %', new.user_id, merged using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger invoices_of_active_accounts before insert on invoices
  for each row execute function refuse_invoice_of_merged();
