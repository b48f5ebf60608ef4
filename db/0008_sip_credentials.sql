-- What a phone signs in with: a password of its own, kept only as the digests that SIP computes from it. The name is the user's
-- at the time; it is part of the digests, so a new name ends them.
create table sip_credentials (
  user_id    integer primary key references users on delete cascade,
  realm      text not null,
  ha1_md5    text not null check (ha1_md5 ~ '^[0-9a-f]{32}$'),
  ha1_sha256 text not null check (ha1_sha256 ~ '^[0-9a-f]{64}$'),
  made_at    timestamptz not null
);

create function end_sip_credentials() returns trigger language plpgsql as $$
begin
  delete from sip_credentials where user_id = new.id;
  return null;
end $$;
create trigger users_renamed after update of username on users for each row
  when (old.username is distinct from new.username) execute function end_sip_credentials();

create trigger sip_credentials_told after insert or update or delete on sip_credentials
  for each row execute function tell_call_control('user', 'user_id');
