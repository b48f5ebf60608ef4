-- In a call between customers the caller is muted from the answer until the announcement of the recording is over.
alter table recording_requests
  -- The switch knows both tags of a call, so it needs only the name of the call to let its sides hear each other again.
  drop column callee_tag,
  -- A request that no media process has taken in time is overdue too.
  drop constraint recording_requests_check,
  add constraint recording_requests_check
    check (state = 'overdue' or (state = 'waiting') = (media_id is null and media_started_at is null));

-- The prices of today's recordings count toward the daily limit.
create index postings_recordings on postings (at) where kind = 'recording';
