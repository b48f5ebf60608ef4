-- A link that was mailed before a password or an address changed, or before an account was disabled, may be in the wrong hands.
create function end_mailed_links() returns trigger language plpgsql as $$
begin
  delete from password_resets where user_id = new.id;
  delete from email_changes where user_id = new.id;
  return null;
end
$$;

create trigger users_end_mailed_links after update on users for each row
  when (old.password_hash is distinct from new.password_hash
     or old.email is distinct from new.email
     or old.disabled_at is null and new.disabled_at is not null)
  execute function end_mailed_links();
