-- A media process that is killed during the announcement of a dialed call leaves both sides blocked. Call control notices it by the time.
alter table recording_requests
  -- Tag of the side that was called, as rtpengine knows it.
  add column callee_tag text,
  -- When the announcement should be over.
  add column announced_until timestamptz,
  drop constraint recording_requests_state_check,
  -- overdue: the announcement did not end, and the switch lets both sides hear each other again.
  add constraint recording_requests_state_check
    check (state in ('waiting', 'taken', 'announcing', 'overdue', 'recording'));
create index recording_requests_announcing on recording_requests (announced_until) where state in ('announcing', 'overdue');
