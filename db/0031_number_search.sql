-- All runs of six digits in a text. A search for a long number finds the few records that have all of its runs; its trigrams are in
-- thousands of records each. Months and days that are over get an index of both (features/calls/cdr/search-store.ts).
create function digit_runs(numbers text) returns integer[]
  language sql immutable parallel safe
  return (
    select array_agg(distinct substr(numbers, first, 6)::integer)
      from generate_series(1, length(numbers) - 5) as first
     where substr(numbers, first, 6) ~ '^[0-9]{6}$'
  );
