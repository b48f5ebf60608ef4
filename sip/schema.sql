-- Live calls, unacknowledged events and registrations over UDP, which survive a restart of the switch.
-- One process writes here (route/persistence.cfg). At startup Kamailio's modules read views that look like their own tables.
-- Triggers discard the modules' writes.

create table call (
  call text primary key,
  hash_entry integer not null,
  hash_id integer not null,
  -- Values from SIP messages are stored as bytes.
  callid blob not null,
  from_uri blob not null,
  from_tag blob not null,
  to_uri blob not null,
  to_tag blob not null,
  caller_cseq blob not null,
  callee_cseq blob not null,
  caller_route_set blob,
  callee_route_set blob,
  caller_contact blob not null,
  callee_contact blob not null,
  caller_sock blob not null,
  callee_sock blob not null,
  req_uri blob not null,
  caller_id blob not null,
  attempts blob not null,
  trunk integer not null,
  answered_at integer not null,
  covered integer not null,
  -- uac module: the caller's From, and the From that the carrier sees.
  uac_fu blob,
  uac_funew blob,
  uac_fdp blob,
  uac_fdpnew blob,
  -- uac module: the same for To.
  uac_to blob,
  uac_tonew blob,
  uac_tdp blob,
  uac_tdpnew blob,
  -- The carrier's CSeq minus the caller's.
  cseq_diff blob,
  -- First hop for requests to each side; route/legs.cfg.
  caller_at blob,
  callee_at blob,
  -- `carrier`, the hash of the account or `-`.
  caller_is blob,
  -- The secret of the leg and the token of the callee, with a space between them.
  tokens blob,
  -- `phone`, or null for a carrier.
  callee_is blob,
  -- 1 for a web phone.
  is_web blob,
  callee_web blob,
  -- The other legs as JSON; route/further-legs.cfg.
  legs blob
) without rowid;

-- The legs before the innermost one, which is in `call`. Position 0 is the nearest.
create table outer_leg (
  call text primary key,
  inner_call text not null,
  position integer not null,
  covered integer not null
) without rowid;

create table kept_events (
  id integer primary key,
  key_name text not null unique on conflict replace,
  key_type integer default 0 not null,
  value_type integer default 0 not null,
  key_value text not null,
  expires integer default 0 not null
);

-- Contacts that phones have registered over UDP; route/registrar.cfg. Connections do not survive a restart. A refresh is not written.
create table registration (
  -- The account in lower case.
  user blob not null,
  contact blob not null,
  -- Duration of the registration.
  seconds integer not null,
  -- The expiry that call control knows, in seconds.
  expires_by integer not null,
  -- Protocol, fingerprint of the password, source address and User-Agent of the REGISTER.
  source blob not null,
  callid blob not null,
  cseq integer not null,
  flags integer not null,
  cflags integer not null,
  ruid blob not null,
  reg_id integer not null,
  received blob,
  socket blob,
  user_agent blob,
  instance blob,
  primary key (user, contact)
) without rowid;

create table version (table_name text not null, table_version integer not null);
insert into version values ('dialog', 7), ('dialog_vars', 1), ('uacreg', 5), ('location', 9);

-- Call control sends the registrations at carriers after each start; route/incoming.cfg.
create view uacreg as
select
  '' as l_uuid, '' as l_username, '' as l_domain, '' as r_username, '' as r_domain, '' as realm, '' as auth_username,
  '' as auth_password, '' as auth_ha1, '' as auth_proxy, 0 as expires, 0 as flags, 0 as reg_delay, '' as contact_addr, '' as socket
where false;

create view dialog as
select
  hash_entry,
  hash_id,
  cast(callid as text) as callid,
  cast(from_uri as text) as from_uri,
  cast(from_tag as text) as from_tag,
  cast(to_uri as text) as to_uri,
  cast(to_tag as text) as to_tag,
  cast(caller_cseq as text) as caller_cseq,
  cast(callee_cseq as text) as callee_cseq,
  cast(caller_route_set as text) as caller_route_set,
  cast(callee_route_set as text) as callee_route_set,
  cast(caller_contact as text) as caller_contact,
  cast(callee_contact as text) as callee_contact,
  cast(caller_sock as text) as caller_sock,
  cast(callee_sock as text) as callee_sock,
  cast(req_uri as text) as req_uri,
  4 as state,
  answered_at / 1000 as start_time,
  answered_at / 1000 + covered + 5 as timeout,
  0 as sflags,
  case when cseq_diff is null then 0 else 16 end as iflags,
  null as toroute_name,
  null as xdata
from call;

create view dialog_vars as
with value (hash_entry, hash_id, dialog_key, dialog_value) as (
  select hash_entry, hash_id, 'call', call from call
  union all select hash_entry, hash_id, 'caller_id', caller_id from call
  union all select hash_entry, hash_id, 'trunk', trunk from call
  union all select hash_entry, hash_id, 'attempts', attempts from call
  union all select hash_entry, hash_id, 'answered_at', answered_at from call
  union all select hash_entry, hash_id, '_uac_fu', uac_fu from call
  union all select hash_entry, hash_id, '_uac_funew', uac_funew from call
  union all select hash_entry, hash_id, '_uac_fdp', uac_fdp from call
  union all select hash_entry, hash_id, '_uac_fdpnew', uac_fdpnew from call
  union all select hash_entry, hash_id, '_uac_to', uac_to from call
  union all select hash_entry, hash_id, '_uac_tonew', uac_tonew from call
  union all select hash_entry, hash_id, '_uac_tdp', uac_tdp from call
  union all select hash_entry, hash_id, '_uac_tdpnew', uac_tdpnew from call
  union all select hash_entry, hash_id, 'cseq_diff', cseq_diff from call
  union all select hash_entry, hash_id, 'callee_at', callee_at from call
  union all select hash_entry, hash_id, 'callee_is', callee_is from call
  union all select hash_entry, hash_id, 'is_web', is_web from call
  union all select hash_entry, hash_id, 'callee_web', callee_web from call
  union all select hash_entry, hash_id, 'legs', legs from call
)
select hash_entry, hash_id, dialog_key, cast(dialog_value as text) as dialog_value
from value
where dialog_value is not null;

-- Content of the htable `calls`; route/calls.cfg.
create view live_calls as
select
  call as key_name,
  0 as key_type,
  0 as value_type,
  'answered,' || hash_entry || ',' || hash_id || ',' || answered_at || ',' || covered || ','
    || cast(callid as text) || ' ' || cast(from_tag as text) || ' ' || cast(to_tag as text) as key_value,
  0 as expires
from call
union all
select
  outer_leg.call,
  0,
  0,
  'answered,' || hash_entry || ',' || hash_id || ',' || answered_at || ',' || outer_leg.covered || ','
    || cast(callid as text) || ' ' || cast(from_tag as text) || ' ' || cast(to_tag as text) || ' outer',
  0
from outer_leg join call on call.call = outer_leg.inner_call;

-- Content of the htable `chains`; route/further-legs.cfg.
create view live_chains as
select
  inner_call as key_name,
  0 as key_type,
  0 as value_type,
  group_concat(call || ' ', '') as key_value,
  0 as expires
from (select * from outer_leg order by inner_call, position)
group by inner_call;

-- Content of the htable `legs`; route/legs.cfg.
create view live_legs as
select
  cast(callid as text) || ' ' || cast(from_tag as text) as key_name,
  0 as key_type,
  0 as value_type,
  cast(caller_at as text) || ' ' || cast(to_tag as text) || ' ' || cast(caller_is as text)
    || ' ' || cast(tokens as text) as key_value,
  0 as expires
from call
where caller_at is not null;

-- What usrloc reads at startup. The last refresh is unknown, so a phone has its full time again, but not more than call control knows.
-- Kamailio's module takes the type of a column from the first row, so no text is null.
create view location as
select
  cast(user as text) as username,
  '' as domain,
  cast(contact as text) as contact,
  min(expires_by, cast(strftime('%s', 'now') as integer) + seconds) as expires,
  1.0 as q,
  cast(callid as text) as callid,
  cseq,
  flags,
  cflags,
  coalesce(cast(user_agent as text), '') as user_agent,
  coalesce(cast(received as text), '') as received,
  '' as path,
  coalesce(cast(socket as text), '') as socket,
  null as methods,
  expires_by - seconds as last_modified,
  cast(ruid as text) as ruid,
  coalesce(cast(instance as text), '') as instance,
  reg_id,
  0 as server_id,
  -1 as connection_id,
  0 as keepalive
from registration
where expires_by > cast(strftime('%s', 'now') as integer);

-- Content of the htable `reported_contacts`; route/registrar.cfg.
create view saved_contacts as
select
  cast(user as text) || ' ' || cast(contact as text) as key_name,
  0 as key_type,
  0 as value_type,
  expires_by || ',' || cast(source as text) as key_value,
  0 as expires
from registration
where expires_by > cast(strftime('%s', 'now') as integer);

create trigger dialog_insert instead of insert on dialog begin select 1; end;
create trigger dialog_update instead of update on dialog begin select 1; end;
create trigger dialog_delete instead of delete on dialog begin select 1; end;
create trigger dialog_vars_insert instead of insert on dialog_vars begin select 1; end;
create trigger dialog_vars_update instead of update on dialog_vars begin select 1; end;
create trigger dialog_vars_delete instead of delete on dialog_vars begin select 1; end;
