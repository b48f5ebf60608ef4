-- The score of a call is that of the side that heard worse. Null if neither side was measured.
create function worst_mos(media jsonb) returns numeric
  language sql immutable parallel safe
  return least((media -> 'phone' ->> 'mos')::numeric, (media -> 'carrier' ->> 'mos')::numeric);

create function worst_of(media jsonb, figure text) returns numeric
  language sql immutable parallel safe
  return greatest((media -> 'phone' ->> figure)::numeric, (media -> 'carrier' ->> figure)::numeric);

-- Calls of a customer per hour (UTC) and country, with their speech quality: a year of a busy account is read from some 10,000 rows.
create table quality_hours (
  user_id       integer not null,
  hour          timestamptz not null,
  -- Empty if unknown.
  country       text not null,
  calls         integer not null,
  completed     integer not null,
  seconds       bigint not null,
  -- Calls with a score, and those with a score below 3.6 (domain/media-quality).
  measured      integer not null,
  poor          integer not null,
  -- Sums over measured calls, of the side that heard worse: tenths of a point, of a percent and of a millisecond.
  mos_tenths    bigint not null,
  loss_tenths   bigint not null,
  jitter_tenths bigint not null,
  primary key (user_id, hour, country)
) with (fillfactor = 80);

insert into quality_hours (user_id, hour, country, calls, completed, seconds, measured, poor, mos_tenths, loss_tenths, jitter_tenths)
select user_id, date_trunc('hour', started_at, 'UTC'), coalesce(country, ''), count(*), count(*) filter (where status = 'completed'),
       sum(seconds), count(worst_mos(media)), count(*) filter (where worst_mos(media) < 3.6), coalesce(sum(worst_mos(media) * 10), 0),
       coalesce(sum(worst_of(media, 'lossPercent') * 10) filter (where worst_mos(media) is not null), 0),
       coalesce(sum(worst_of(media, 'jitterMs') * 10) filter (where worst_mos(media) is not null), 0)
  from cdrs
 where user_id is not null
   and not exists (select from unsummed_calls as q where (q.started_at, q.call_id) = (cdrs.started_at, cdrs.call_id))
 group by 1, 2, 3 order by 1, 2, 3;

-- A record that leaves the queue is added here in the same transaction. A trigger does it, so that processes of the previous release, which
-- still run during an update, do it too.
create function add_quality_hours() returns trigger language plpgsql as $$
begin
  -- Planned for each batch, because batches differ in size.
  execute $sql$
    insert into quality_hours as h
      (user_id, hour, country, calls, completed, seconds, measured, poor, mos_tenths, loss_tenths, jitter_tenths)
    select user_id, date_trunc('hour', started_at, 'UTC'), coalesce(country, ''), count(*), count(*) filter (where status = 'completed'),
           sum(seconds), count(worst_mos(media)), count(*) filter (where worst_mos(media) < 3.6), coalesce(sum(worst_mos(media) * 10), 0),
           coalesce(sum(worst_of(media, 'lossPercent') * 10) filter (where worst_mos(media) is not null), 0),
           coalesce(sum(worst_of(media, 'jitterMs') * 10) filter (where worst_mos(media) is not null), 0)
      from taken join cdrs using (started_at, call_id)
     -- Lets PostgreSQL skip the other months.
     where started_at between (select min(started_at) from taken) and (select max(started_at) from taken)
       and user_id is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict (user_id, hour, country) do update
    set calls = h.calls + excluded.calls, completed = h.completed + excluded.completed, seconds = h.seconds + excluded.seconds,
        measured = h.measured + excluded.measured, poor = h.poor + excluded.poor, mos_tenths = h.mos_tenths + excluded.mos_tenths,
        loss_tenths = h.loss_tenths + excluded.loss_tenths, jitter_tenths = h.jitter_tenths + excluded.jitter_tenths$sql$;
  return null;
end $$;

create trigger unsummed_calls_taken after delete on unsummed_calls referencing old table as taken
  for each statement execute function add_quality_hours();
