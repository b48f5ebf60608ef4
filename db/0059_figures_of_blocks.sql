-- The figures of the analysis per block of six hours (UTC). A time zone that is not UTC begins its days inside a day of UTC: that part is
-- read from at most two blocks and twelve quarters of an hour instead of 48 quarters.
create table figure_blocks (
  dimension     text not null,
  block         timestamptz not null,
  key           text not null,
  calls         integer not null,
  answered      integer not null,
  reached       integer not null,
  rang          integer not null,
  ring_delay_ms bigint not null,
  seconds       bigint not null,
  cost_micros   bigint not null,
  buy_micros    bigint not null,
  primary key (dimension, block, key)
) with (fillfactor = 80);
create index figure_blocks_key on figure_blocks (dimension, key, block);

-- Triggers pass every change of the quarters on, so that processes of the previous release, which still run during an update, keep the
-- blocks too.
create function keep_figure_blocks() returns trigger language plpgsql as $$
declare
  changed text := case tg_op when 'INSERT' then 'select 1 as sign, * from added'
                             when 'UPDATE' then 'select 1 as sign, * from added union all select -1, * from removed'
                             else 'select -1 as sign, * from removed' end;
begin
  execute format($sql$
    insert into figure_blocks as b (dimension, block, key, calls, answered, reached, rang, ring_delay_ms, seconds, cost_micros, buy_micros)
    select dimension, date_bin('6 hours', quarter, 'epoch'), key, sum(sign * calls), sum(sign * answered), sum(sign * reached),
           sum(sign * rang), sum(sign * ring_delay_ms), sum(sign * seconds), sum(sign * cost_micros), sum(sign * buy_micros)
      from (%s) as changed group by 1, 2, 3 order by 1, 2, 3
    on conflict (dimension, block, key) do update
    set calls = b.calls + excluded.calls, answered = b.answered + excluded.answered, reached = b.reached + excluded.reached,
        rang = b.rang + excluded.rang, ring_delay_ms = b.ring_delay_ms + excluded.ring_delay_ms, seconds = b.seconds + excluded.seconds,
        cost_micros = b.cost_micros + excluded.cost_micros, buy_micros = b.buy_micros + excluded.buy_micros$sql$, changed);
  return null;
end $$;

-- Before the rows below are read. Until this migration ends, new calls wait in their queue and no figures are added. Calls do not wait.
create trigger figure_quarters_inserted after insert on figure_quarters referencing new table as added
  for each statement execute function keep_figure_blocks();
create trigger figure_quarters_updated after update on figure_quarters referencing new table as added old table as removed
  for each statement execute function keep_figure_blocks();
create trigger figure_quarters_deleted after delete on figure_quarters referencing old table as removed
  for each statement execute function keep_figure_blocks();

insert into figure_blocks (dimension, block, key, calls, answered, reached, rang, ring_delay_ms, seconds, cost_micros, buy_micros)
select dimension, date_bin('6 hours', quarter, 'epoch'), key, sum(calls), sum(answered), sum(reached), sum(rang), sum(ring_delay_ms),
       sum(seconds), sum(cost_micros), sum(buy_micros)
  from figure_quarters group by 1, 2, 3 order by 1, 2, 3;

-- The totals of calls by the first digits of a caller ID.
create index figure_weeks_caller on figure_weeks ((key collate "C")) where dimension = 'caller';
