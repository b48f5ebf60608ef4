-- Finds and orders the usernames that begin with given letters, so that a list of them reads only the rows it shows.
create index users_name_order on users ((lower(username) collate "C"));
drop index users_name_begins;
