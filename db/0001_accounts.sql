-- People who sign in, their sessions, and what guards the door.

create table users (
  id            integer generated always as identity primary key,
  username      text not null check (length(username) between 1 and 64),
  email         text check (length(email) <= 254),
  name          text check (length(name) <= 200),
  company       text check (length(company) <= 200),
  country       text check (length(country) <= 100),
  host          text not null default 'dynamic' check (length(host) <= 255),
  websiteip     text check (length(websiteip) <= 255),
  is_admin      boolean not null default false,
  is_premium    boolean not null default false,
  password_hash text not null,
  disabled_at   timestamptz,
  created_at    timestamptz not null
);

-- Alice and ALICE are one person.
create unique index users_username on users (lower(username));
-- Not unique: an address is a place to send mail to, not an identity, and a stranger must not be able to block one.
create index users_email on users (lower(email)) where email is not null;

create table sessions (
  -- SHA-256 of the token: a stolen copy of the database opens no session.
  token_hash   bytea primary key,
  user_id      integer not null references users on delete cascade,
  created_at   timestamptz not null,
  last_used_at timestamptz not null,
  expires_at   timestamptz not null,
  address      text not null,
  user_agent   text not null
);
create index sessions_user on sessions (user_id);

create table password_resets (
  token_hash bytea primary key,
  user_id    integer not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index password_resets_user on password_resets (user_id);

-- Counted attempts (sign-in, registration, contact) per key and window, here so that several servers agree.
create table attempts (
  key            text primary key,
  attempts       integer not null,
  window_ends_at timestamptz not null
);
create index attempts_window on attempts (window_ends_at);

-- Addresses from which an account was opened with the right password: they stay open to it while a
-- stranger elsewhere is guessing.
create table known_addresses (
  user_id      integer not null references users on delete cascade,
  address      text not null,
  last_used_at timestamptz not null,
  primary key (user_id, address)
);

create table contact_requests (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) <= 120),
  email      text not null check (length(email) <= 254),
  phone      text not null check (length(phone) <= 40),
  message    text not null check (length(message) <= 4000),
  address    text not null,
  created_at timestamptz not null,
  handled_at timestamptz
);
create index contact_requests_open on contact_requests (created_at desc) where handled_at is null;
