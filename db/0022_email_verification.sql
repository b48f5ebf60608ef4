-- An e-mail address counts once its owner has opened a mailed link, or an administrator has entered it.
alter table users add column email_verified_at timestamptz;

-- So far only administrators entered addresses. People who signed up with an address as their name have to verify it.
update users set email_verified_at = created_at where email is not null and lower(email) <> lower(username);

-- An address that waits for its link to be opened: one for each account, the last one.
create table email_changes (
  user_id    integer primary key references users on delete cascade,
  email      text not null check (length(email) <= 254),
  -- SHA-256 of the token. Null until the mail is written.
  token_hash bytea unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Devices from which an account was opened. A sign-in from another one is mailed to the owner.
create table known_devices (
  user_id      integer not null references users on delete cascade,
  device       text not null check (length(device) <= 100),
  last_used_at timestamptz not null,
  primary key (user_id, device)
);
