-- ring: a media process rings a target of the ring plan and records the conversation.
alter table media_calls drop constraint media_calls_kind_check,
  add check (kind in ('flow', 'voicemail', 'mailbox', 'ring'));

-- Call control sends recorded calls to a media process.
create trigger recording_settings_told after insert or update or delete on recording_settings
  for each row execute function tell_call_control('user', 'user_id');
