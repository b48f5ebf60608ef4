-- The analysis also groups by direction. Figures of calls that are already summed: incoming ones from the records, outgoing ones are the rest.
do $$
declare
  part record;
begin
  for part in select * from (values ('figure_quarters', 'quarter', '15 minutes'), ('figure_days', 'day', '1 day')) as each (sums, period, length) loop
    execute format($sql$
      insert into %1$I (dimension, %2$I, key, calls, answered, reached, rang, ring_delay_ms, seconds, cost_micros, buy_micros)
      select 'direction', date_bin(%3$L, started_at, 'epoch'), 'in', count(*), count(*) filter (where status = 'completed'),
             count(*) filter (where status in ('completed', 'busy', 'no-answer', 'cancelled')), count(ringing_at),
             sum(coalesce(round(extract(epoch from ringing_at - started_at) * 1000), 0)), sum(seconds), sum(cost_micros), sum(buy_micros)
        from cdrs
       where direction = 'in'
         and not exists (select from unsummed_calls as u where (u.started_at, u.call_id) = (cdrs.started_at, cdrs.call_id))
       group by 2$sql$, part.sums, part.period, part.length);
    execute format($sql$
      insert into %1$I (dimension, %2$I, key, calls, answered, reached, rang, ring_delay_ms, seconds, cost_micros, buy_micros)
      select 'direction', a.%2$I, 'out', a.calls - coalesce(i.calls, 0), a.answered - coalesce(i.answered, 0),
             a.reached - coalesce(i.reached, 0), a.rang - coalesce(i.rang, 0), a.ring_delay_ms - coalesce(i.ring_delay_ms, 0),
             a.seconds - coalesce(i.seconds, 0), a.cost_micros - coalesce(i.cost_micros, 0), a.buy_micros - coalesce(i.buy_micros, 0)
        from %1$I as a left join %1$I as i on i.dimension = 'direction' and i.%2$I = a.%2$I
       where a.dimension = 'all' and a.calls > coalesce(i.calls, 0)$sql$, part.sums, part.period);
  end loop;
end $$;
