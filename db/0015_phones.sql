-- A phone in a browser: a name and a password made for one session, good for as long as the browser keeps its connection. It goes
-- with the session, and what goes is told, so that its calls end and its password is forgotten.
create table phones (
  name         text primary key check (name ~ '^browser~[a-z0-9]+$'),
  session_id   integer not null unique references sessions (id) on delete cascade,
  user_id      integer not null references users on delete cascade,
  -- SHA-256 of what opens the connection.
  token_hash   bytea not null unique,
  realm        text not null,
  ha1_md5      text not null check (ha1_md5 ~ '^[0-9a-f]{32}$'),
  ha1_sha256   text not null check (ha1_sha256 ~ '^[0-9a-f]{64}$'),
  made_at      timestamptz not null,
  -- Null until the browser is connected.
  connected_at timestamptz,
  -- Moved on while it is.
  expires_at   timestamptz not null
);
create index phones_user on phones (user_id);

create trigger phones_told after insert or update or delete on phones
  for each row execute function tell_call_control('phone', 'name');
