-- When the password was last typed in a session. Sessions that are open during the upgrade have to type it again before
-- they change a password, an address or a limit.
alter table sessions add column proven_at timestamptz;
