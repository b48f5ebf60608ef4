-- A media process that rings for a recorded call has not answered it yet. If it is lost, the switch rings another way, and the call goes on.
alter table media_calls add column is_ringing boolean not null default false;
-- So the legs of a process that was lost can belong to a call that another process has taken over. Legs of earlier releases have none.
alter table media_legs add column media_started_at timestamptz;
