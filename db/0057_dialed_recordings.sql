-- Customers can record the calls that they dial. A media process gets a copy of the audio from rtpengine.
alter table recording_settings add column records_dialed boolean not null default false;
-- The process can ask an rtpengine for copies of audio.
alter table media_servers add column copies_audio boolean not null default false;

-- A dialed call whose owner wants a recording. A media process takes it after the answer. The row ends with the recording.
create table recording_requests (
  call_id          text primary key,
  user_id          integer not null references users on delete cascade,
  -- Call-ID and From tag of the caller. rtpengine knows the call by them.
  sip_call_id      text not null,
  sip_tag          text not null,
  created_at       timestamptz not null,
  -- announcing: both sides hear the announcement, and not each other.
  state            text not null default 'waiting' check (state in ('waiting', 'taken', 'announcing', 'recording')),
  media_id         text,
  media_started_at timestamptz,
  check ((state = 'waiting') = (media_id is null and media_started_at is null))
);
create index recording_requests_waiting on recording_requests (created_at) where state = 'waiting';
