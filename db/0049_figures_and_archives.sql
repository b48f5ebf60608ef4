-- The analysis also groups by direction: figures of the calls that are already summed. Archived months have none, because their records are gone.
do $$
declare
  part record;
begin
  for part in select * from (values ('figure_quarters', 'quarter', '15 minutes'), ('figure_days', 'day', '1 day')) as each (sums, period, length) loop
    execute format($sql$
      insert into %1$I (dimension, %2$I, key, calls, answered, reached, rang, ring_delay_ms, seconds, cost_micros, buy_micros)
      select 'direction', date_bin(%3$L, started_at, 'epoch'), direction, count(*), count(*) filter (where status = 'completed'),
             count(*) filter (where status in ('completed', 'busy', 'no-answer', 'cancelled')), count(ringing_at),
             sum(coalesce(round(extract(epoch from ringing_at - started_at) * 1000), 0)), sum(seconds), sum(cost_micros), sum(buy_micros)
        from cdrs
       where not exists (select from unsummed_calls as u where (u.started_at, u.call_id) = (cdrs.started_at, cdrs.call_id))
       group by 2, 3$sql$, part.sums, part.period, part.length);
  end loop;
end $$;

-- Replays are archived with the call records of their month.
alter table archives drop constraint archives_source_check,
  add check (source in ('cdrs', 'audit_log', 'alerts', 'invoice_events', 'media_calls'));
