-- Recordings of the operator that replace prompts of the system, encoded once in both laws of G.711.
create table system_prompts (
  -- New with every replacement, because media processes keep sounds in memory by their id.
  id          integer generated always as identity primary key,
  language    text not null check (language ~ '^[a-z]{2}$'),
  -- domain/prompts
  name        text not null check (name ~ '^[a-z0-9_]{1,40}$'),
  seconds     numeric(7, 2) not null check (seconds > 0),
  alaw        bytea not null,
  ulaw        bytea not null,
  replaced_at timestamptz not null,
  unique (language, name)
);
