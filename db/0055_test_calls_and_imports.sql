-- Address and port of a switch, where media processes call it. Null: unknown, or a simulated switch.
alter table switches add column sip_address text check (length(sip_address) <= 100);

-- The last test call of a rented number. A media process takes it and calls `leg~test~<token>` at a switch.
create table test_calls (
  rental_id        integer primary key references number_rentals on delete cascade,
  token            text not null unique,
  state            text not null check (state in ('waiting', 'calling', 'ringing', 'answered', 'busy', 'no_answer', 'failed')),
  created_at       timestamptz not null,
  -- The media process that calls.
  media_id         text,
  media_started_at timestamptz,
  -- The call that used the token.
  call_id          text,
  ended_at         timestamptz
);
create index test_calls_waiting on test_calls (created_at) where state = 'waiting';
create index test_calls_call on test_calls (call_id);

-- Progress of running imports of numbers. Written outside of their transaction, so that it can be read before the commit.
create table number_import_progress (
  request_key text primary key,
  done        integer not null,
  total       integer not null,
  updated_at  timestamptz not null
);
