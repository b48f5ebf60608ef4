-- Users as administrators see them: a list of hundreds of thousands that is searched, sorted and counted without reading
-- it whole, and changes that cannot overwrite each other unseen.

-- Grows with every change that a person makes to an account, whoever makes it: an administrator's form that was opened
-- before is refused instead of putting back what it had read. Balances are the ledger's and no part of it.
alter table users add column version integer not null default 1;

create function next_user_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger users_version before update on users for each row
  when ((old.username, old.email, old.name, old.company, old.country, old.host, old.websiteip, old.is_admin, old.is_premium,
         old.disabled_at)
        is distinct from
        (new.username, new.email, new.name, new.company, new.country, new.host, new.websiteip, new.is_admin, new.is_premium,
         new.disabled_at))
  execute function next_user_version();

-- Three letters or more, anywhere in name, address or company; less than that is the beginning of a name.
create index users_search on users
  using gin (lower(username || ' ' || coalesce(email, '') || ' ' || coalesce(company, '')) gin_trgm_ops);
create index users_name_begins on users (lower(username) text_pattern_ops);
-- Few of many: without these a filter would walk past everybody else.
create index users_premium on users (id) where is_premium;
create index users_admins on users (id) where is_admin;
create index users_disabled on users (id) where disabled_at is not null;

-- How many there are, kept as they come and go. In shards, so that two who sign up do not wait for each other.
create table user_totals (
  shard integer primary key,
  users bigint not null
);
insert into user_totals select shard, 0 from generate_series(0, 15) as shard;
update user_totals set users = (select count(*) from users) where shard = 0;

create function count_users() returns trigger language plpgsql as $$
begin
  update user_totals
     set users = users + case tg_op when 'INSERT' then 1 else -1 end * (select count(*) from touched)
   where shard = pg_backend_pid() % 16;
  return null;
end $$;
create trigger users_counted_in after insert on users referencing new table as touched
  for each statement execute function count_users();
create trigger users_counted_out after delete on users referencing old table as touched
  for each statement execute function count_users();

-- The order of balances, as of the last minute. An index on the accounts themselves would be written by every call that
-- ends (see accounts); here a job brings over those that changed. What is shown is always read from the account.
create table balance_order (
  user_id        integer primary key references users on delete cascade,
  balance_micros bigint not null
);
create index balance_order_balance on balance_order (balance_micros, user_id);
insert into balance_order select user_id, balance_micros from accounts;

create or replace function open_account() returns trigger language plpgsql as $$
begin
  insert into accounts (user_id) values (new.id);
  insert into balance_order (user_id, balance_micros) values (new.id, 0);
  return null;
end $$;

-- What has to be counted over everybody, by the same job. One row.
create table user_figures (
  one          boolean primary key default true check (one),
  active_users integer not null,
  counted_at   timestamptz not null
);
