-- Phones that receive calls: a session has one in each tab, so that every open tab rings.
alter table phones
  add column receives boolean not null default false,
  drop constraint phones_session_id_key;
create index phones_session on phones (session_id);
