-- The figures of the analysis per week, from Monday (UTC): a year is read from 52 rows per key instead of 365.
create table figure_weeks (
  dimension     text not null,
  week          timestamptz not null,
  key           text not null,
  calls         integer not null,
  answered      integer not null,
  reached       integer not null,
  rang          integer not null,
  ring_delay_ms bigint not null,
  seconds       bigint not null,
  cost_micros   bigint not null,
  buy_micros    bigint not null,
  primary key (dimension, week, key)
) with (fillfactor = 80);
create index figure_weeks_key on figure_weeks (dimension, key, week);

insert into figure_weeks (dimension, week, key, calls, answered, reached, rang, ring_delay_ms, seconds, cost_micros, buy_micros)
select dimension, date_trunc('week', day, 'UTC'), key, sum(calls), sum(answered), sum(reached), sum(rang), sum(ring_delay_ms),
       sum(seconds), sum(cost_micros), sum(buy_micros)
  from figure_days group by 1, 2, 3 order by 1, 2, 3;

-- Triggers pass every change of the days on, so that processes of the previous release, which still run during an update, keep the weeks too.
create function keep_figure_weeks() returns trigger language plpgsql as $$
declare
  changed text := case tg_op when 'INSERT' then 'select 1 as sign, * from added'
                             when 'UPDATE' then 'select 1 as sign, * from added union all select -1, * from removed'
                             else 'select -1 as sign, * from removed' end;
begin
  execute format($sql$
    insert into figure_weeks as w (dimension, week, key, calls, answered, reached, rang, ring_delay_ms, seconds, cost_micros, buy_micros)
    select dimension, date_trunc('week', day, 'UTC'), key, sum(sign * calls), sum(sign * answered), sum(sign * reached), sum(sign * rang),
           sum(sign * ring_delay_ms), sum(sign * seconds), sum(sign * cost_micros), sum(sign * buy_micros)
      from (%s) as changed group by 1, 2, 3 order by 1, 2, 3
    on conflict (dimension, week, key) do update
    set calls = w.calls + excluded.calls, answered = w.answered + excluded.answered, reached = w.reached + excluded.reached,
        rang = w.rang + excluded.rang, ring_delay_ms = w.ring_delay_ms + excluded.ring_delay_ms, seconds = w.seconds + excluded.seconds,
        cost_micros = w.cost_micros + excluded.cost_micros, buy_micros = w.buy_micros + excluded.buy_micros$sql$, changed);
  return null;
end $$;

create trigger figure_days_inserted after insert on figure_days referencing new table as added
  for each statement execute function keep_figure_weeks();
create trigger figure_days_updated after update on figure_days referencing new table as added old table as removed
  for each statement execute function keep_figure_weeks();
create trigger figure_days_deleted after delete on figure_days referencing old table as removed
  for each statement execute function keep_figure_weeks();
