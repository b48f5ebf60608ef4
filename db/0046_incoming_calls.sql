-- Incoming calls: which carriers may send them, and the direction of calls and records.
alter table trunks
  -- Addresses that may send calls: `address` or `address:port`. Empty: the carrier sends none.
  add column incoming_sources  text[] not null default '{}',
  -- Country of numbers in national format. Null: international formats only.
  add column incoming_country  text check (incoming_country ~ '^[A-Z]{2}$'),
  -- Removed from the front of the called number.
  add column incoming_prefix   text not null default '' check (incoming_prefix ~ '^[0-9+*#]{0,20}$'),
  -- Digest password of a carrier that signs in as `carrier~<id>`: HA1 for a realm. Null: by address only.
  add column incoming_realm    text,
  add column incoming_ha1      text,
  -- The switch registers at the carrier with the username and password of the trunk.
  add column registers         boolean not null default false,
  add constraint trunks_incoming_digest check ((incoming_realm is null) = (incoming_ha1 is null));

-- For an incoming call, `destination` is the rented number, `trunk_id` the carrier that sent it, and `trunks` the targets to ring.
alter table live_calls
  add column direction      text not null default 'out' check (direction in ('in', 'out')),
  add column number_id      integer,
  -- The leg before this one: the incoming call of a forwarded leg, or the caller's leg of a call between customers.
  add column parent_call_id text,
  add column caller_name    text not null default '',
  -- Which rule of the number sent the call where, or how a call stays inside. One sentence.
  add column explanation    text not null default '';
alter table cdrs
  add column direction      text not null default 'out' check (direction in ('in', 'out')),
  add column number_id      integer,
  add column parent_call_id text,
  add column caller_name    text not null default '',
  add column explanation    text not null default '';

-- Usage of numbers. Outgoing calls do not pay for the index.
create index cdrs_number on cdrs (number_id, started_at) where number_id is not null;
