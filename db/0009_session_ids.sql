-- A session needs a name that may be shown and asked for: its token's digest is what it is looked up by, and stays inside.
alter table sessions add column id integer generated always as identity unique;
