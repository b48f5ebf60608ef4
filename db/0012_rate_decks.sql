-- A carrier's price list may change in a hundred thousand lines at once. Call control reads it whole either way, so it is told once
-- for each statement and list rather than once for each line.
create function tell_call_control_once() returns trigger language plpgsql as $$
begin
  perform pg_notify('call_control', tg_argv[0] || ':' || list.id)
     from (select distinct to_jsonb(changed) ->> tg_argv[1] as id from changed) as list;
  return null;
end $$;

drop trigger trunk_rates_told on trunk_rates;
create trigger trunk_rates_added   after insert on trunk_rates referencing new table as changed for each statement execute function tell_call_control_once('trunk', 'trunk_id');
create trigger trunk_rates_changed after update on trunk_rates referencing new table as changed for each statement execute function tell_call_control_once('trunk', 'trunk_id');
create trigger trunk_rates_gone    after delete on trunk_rates referencing old table as changed for each statement execute function tell_call_control_once('trunk', 'trunk_id');

drop trigger route_rates_told on route_rates;
create trigger route_rates_added   after insert on route_rates referencing new table as changed for each statement execute function tell_call_control_once('route', 'route_id');
create trigger route_rates_changed after update on route_rates referencing new table as changed for each statement execute function tell_call_control_once('route', 'route_id');
create trigger route_rates_gone    after delete on route_rates referencing old table as changed for each statement execute function tell_call_control_once('route', 'route_id');
