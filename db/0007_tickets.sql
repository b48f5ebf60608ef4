-- Support tickets, and the indexes that the administrators' figures stand on.

create table tickets (
  id            integer generated always as identity primary key,
  user_id       integer not null references users on delete cascade,
  subject       text not null check (length(subject) between 1 and 200),
  status        text not null default 'open' check (status in ('open', 'closed')),
  priority      text not null default 'medium' check (priority in ('high', 'medium', 'low')),
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  -- What each side has not read yet. Counted here, so that a list needs no look at the messages.
  user_unread   integer not null default 0 check (user_unread >= 0),
  staff_unread  integer not null default 0 check (staff_unread >= 0)
);
create index tickets_user on tickets (user_id, id);
create index tickets_status on tickets (status, id);

create table ticket_messages (
  id         integer generated always as identity primary key,
  ticket_id  integer not null references tickets on delete cascade,
  author_id  integer not null references users,
  is_staff   boolean not null,
  body       text not null check (length(body) between 1 and 4000),
  created_at timestamptz not null
);
create index ticket_messages_ticket on ticket_messages (ticket_id, id);

-- Who signed in lately. Sessions do not tell: they are deleted when they end, addresses are kept.
create index known_addresses_last_used on known_addresses (last_used_at, user_id);

-- The open alerts among the many that were dealt with, newest first.
create index alerts_unacknowledged on alerts (id) where acknowledged_at is null;

-- An address identifies a caller, so it belongs to one account. `dynamic` belongs to everybody.
create unique index users_host on users (lower(host)) where lower(host) <> 'dynamic';
