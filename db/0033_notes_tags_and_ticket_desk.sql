-- Notes and tags of users, and the tools of the support desk. Only administrators see any of it.

create table user_notes (
  id         integer generated always as identity primary key,
  user_id    integer not null references users on delete cascade,
  author_id  integer references users on delete set null,
  body       text not null check (length(body) between 1 and 2000),
  is_pinned  boolean not null default false,
  created_at timestamptz not null,
  -- Of the text. Null until its author edits it.
  edited_at  timestamptz
);
create index user_notes_user on user_notes (user_id, id);
create unique index user_notes_pinned on user_notes (user_id) where is_pinned;

create table user_tags (
  user_id integer not null references users on delete cascade,
  tag     text not null check (length(tag) between 1 and 30 and tag !~ '[A-Z[:space:]]'),
  primary key (user_id, tag)
);
create index user_tags_tag on user_tags (tag, user_id);

alter table tickets add column assignee_id integer references users on delete set null;
create index tickets_assignee on tickets (assignee_id, id);

-- The first reply of the staff, and the oldest message of the customer that has no reply yet.
alter table tickets add column first_answered_at timestamptz;
alter table tickets add column waiting_since timestamptz;
update tickets
   set first_answered_at = (select min(created_at) from ticket_messages where ticket_id = tickets.id and is_staff),
       waiting_since = (select min(created_at)
                          from ticket_messages
                         where ticket_id = tickets.id
                           and not is_staff
                           and id > coalesce((select max(id) from ticket_messages where ticket_id = tickets.id and is_staff), 0));
create index tickets_first_answered on tickets (first_answered_at);
create index tickets_waiting_since on tickets (waiting_since) where status = 'open' and awaits_staff;

-- In a table of their own, so that no query of a customer's messages can return them.
create table ticket_notes (
  id         integer generated always as identity primary key,
  ticket_id  integer not null references tickets on delete cascade,
  author_id  integer references users on delete set null,
  body       text not null check (length(body) between 1 and 4000),
  created_at timestamptz not null
);
create index ticket_notes_ticket on ticket_notes (ticket_id, id);

create table canned_replies (
  id         integer generated always as identity primary key,
  name       text not null check (length(name) between 1 and 60),
  body       text not null check (length(body) between 1 and 4000),
  version    integer not null default 1,
  updated_at timestamptz not null
);
create unique index canned_replies_name on canned_replies (lower(name));
