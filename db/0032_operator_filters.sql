-- Lets one GIN index hold numbers and short texts, for the filters of administrators on call records: carrier, route, SIP code, reason and
-- source address. Months and days that are over get that index, and B-trees for caller ID and margin
-- (features/calls/cdr/search-store.ts), so that a call that is written updates no more indexes than before. Trusted: the owner of the
-- database may create it.
create extension if not exists btree_gin;

-- The planner knows how many calls lose money. It takes no statistics from an index of a part of a month. make_cdr_month copies them.
create statistics cdrs_margin on (cost_micros - buy_micros) from cdrs;
do $$
declare
  month name;
begin
  for month in select c.relname from pg_inherits as i join pg_class as c on c.oid = i.inhrelid where i.inhparent = 'cdrs'::regclass loop
    execute format('create statistics cdr_months.%I on (cost_micros - buy_micros) from cdr_months.%I', month || '_margin', month);
  end loop;
end $$;
