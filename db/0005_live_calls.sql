-- Calls that live. A row is here from the moment its money is held until its record is written, and both ends are one
-- transaction: what is not here any more has its CDR.

create table switches (
  switch_id    text primary key check (length(switch_id) between 1 and 60),
  software     text not null,
  -- A switch that was started anew knows nothing of its calls before.
  started_at   timestamptz not null,
  -- The last moment any call control heard it. Calls of a switch that died are closed as of here.
  last_seen_at timestamptz not null
);

create table live_calls (
  -- `<switch>/<the switch's own name for the call>`; also the id of the hold.
  call_id            text primary key check (length(call_id) between 3 and 200),
  switch_id          text not null,
  user_id            integer not null references users,
  state              text not null check (state in ('authorized', 'ringing', 'answered')),
  sip_account        text not null,
  source_address     text not null,
  caller_id          text not null,
  -- As dialled, and as E.164 digits.
  dialed             text not null,
  destination        text not null,
  country            text not null,
  line_type          text not null,
  -- The price is fixed when the call is admitted: a change of the route is for the next call.
  route_id           integer not null,
  route_name         text not null,
  plan_name          text not null,
  rate_prefix        text,
  price_micros       bigint not null,
  connect_fee_micros bigint not null,
  first_increment    integer not null,
  next_increment     integer not null,
  -- What was offered to the switch, in order: [{id, name, buy_rate_micros}].
  trunks             jsonb not null,
  -- The trunk it rings or talks on.
  trunk_id           integer,
  -- 0 for a free call, which has no hold.
  held_micros        bigint not null check (held_micros >= 0),
  -- Seconds after the answer that the hold pays for; the switch ends the call then.
  covered_seconds    integer not null check (covered_seconds > 0),
  is_demo            boolean not null default false,
  started_at         timestamptz not null,
  ringing_at         timestamptz,
  answered_at        timestamptz,
  -- Somebody asked for its end.
  hangup_at          timestamptz,
  hangup_by          integer references users,
  hangup_reason      text,
  constraint live_calls_answered check ((state = 'answered') = (answered_at is not null))
) with (fillfactor = 60);
create index live_calls_user on live_calls (user_id);
create index live_calls_switch on live_calls (switch_id);

-- Phones that registered, as the switches report them.
create table registrations (
  switch_id     text not null,
  user_id       integer not null references users on delete cascade,
  contact       text not null check (length(contact) <= 500),
  address       text not null,
  device        text not null,
  registered_at timestamptz not null,
  expires_at    timestamptz not null,
  primary key (switch_id, user_id, contact)
);
create index registrations_user on registrations (user_id);
