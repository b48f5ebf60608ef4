-- All runs of six digits in a text. A search for a long number finds the few records that have all of its runs; its trigrams are in
-- thousands of records each. Months and days that are over get an index of both (features/calls/cdr/search-store.ts). A single query
-- instead of the loops takes ten times as long.
create function digit_runs(numbers text) returns integer[] language plpgsql immutable parallel safe as $$
declare
  runs   integer[] := '{}';
  digits text;
begin
  foreach digits in array regexp_split_to_array(numbers, '[^0-9]+') loop
    for position_of_run in 1 .. length(digits) - 5 loop
      runs := runs || substr(digits, position_of_run, 6)::integer;
    end loop;
  end loop;
  return runs;
end $$;
