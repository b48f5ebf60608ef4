-- SIP messages of calls, for administrators. They are kept for days, so backups leave this schema out.
create schema sip_traces;

create table sip_traces.chunks (
  call_id  text not null,
  -- The first message, by the clock of the switch.
  begins   timestamptz(3) not null,
  -- A JSON array of messages without secrets, deflated: the messages of a call repeat each other, so this is a sixth of their size.
  messages bytea not null
) partition by range (begins);
alter table sip_traces.chunks alter column messages set storage external;
create index chunks_call on sip_traces.chunks (call_id);

-- Makes the partition of a day (UTC); true if it did not exist.
create function sip_traces.make_day(moment timestamptz) returns boolean language plpgsql as $$
declare
  first_moment constant timestamptz := date_trunc('day', moment, 'UTC');
  name         constant text := to_char(first_moment at time zone 'UTC', '"d"YYYY_MM_DD');
begin
  perform pg_advisory_xact_lock(hashtext('make_trace_day'));
  if to_regclass('sip_traces.' || name) is not null then return false; end if;
  execute format('create table sip_traces.%I (like sip_traces.chunks including all)', name);
  execute format('alter table sip_traces.chunks attach partition sip_traces.%I for values from (%L) to (%L)',
                 name, first_moment, first_moment + interval '24 hours');
  return true;
end $$;

-- Speech quality of both sides, as rtpengine measured it. Null if the call had no speech or the switch could not ask.
alter table cdrs add column media jsonb;
