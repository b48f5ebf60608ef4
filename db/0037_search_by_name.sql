-- The search of the palette also finds users by the name of the person.
create index users_person on users using gin (lower(name) gin_trgm_ops) where name is not null;
