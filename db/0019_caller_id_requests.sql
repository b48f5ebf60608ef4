-- Caller IDs that customers have asked for, with the decision of an administrator. A number stays approved for its account when the
-- customer changes away from it and back.
create table caller_id_requests (
  id           integer generated always as identity primary key,
  user_id      integer not null references users on delete cascade,
  callerid     text not null check (callerid ~ '^[0-9]{7,16}$'),
  state        text not null default 'pending' check (state in ('pending', 'approved', 'rejected')),
  requested_at timestamptz not null,
  decided_at   timestamptz,
  decided_by   integer references users on delete set null,
  -- Shown to the customer.
  note         text not null default '' check (length(note) <= 500),
  unique (user_id, callerid),
  check ((state = 'pending') = (decided_at is null))
);
create index caller_id_requests_state on caller_id_requests (state, id);

create trigger caller_id_requests_told after insert or update or delete on caller_id_requests
  for each row execute function tell_call_control('user', 'user_id');

-- Nobody has looked at the numbers that are in use now.
insert into caller_id_requests (user_id, callerid, requested_at)
select user_id, callerid, updated_at from caller_ids;
