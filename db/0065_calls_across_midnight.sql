-- Calls that ended on a later day (UTC) than they started. The daily spend limit reads those of last midnight every 30 seconds.
-- Other calls do not pay for the index.
create index cdrs_across_midnight on cdrs (started_at)
  where (started_at at time zone 'UTC')::date < (ended_at at time zone 'UTC')::date;
