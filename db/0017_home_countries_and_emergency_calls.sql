-- National numbers are read as numbers of this country; null: international numbers only.
alter table users add home_country text check (home_country ~ '^[A-Z]{2}$');

-- The trunk that carries emergency calls: one row, or none, and then they are refused.
create table emergency_route (
  id         boolean primary key default true check (id),
  trunk_id   integer not null references trunks on delete cascade,
  -- What the carrier is sent instead of the number that was dialled.
  sent_as    text check (sent_as ~ '^[+]?[0-9]{2,20}$'),
  -- Shown for customers who have no caller ID.
  caller_id  text not null check (caller_id ~ '^[0-9]{7,16}$'),
  updated_at timestamptz not null
);
create trigger emergency_route_told after insert or update or delete on emergency_route
  for each row execute function tell_call_control('emergency', 'id');
