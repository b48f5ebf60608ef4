-- Addresses whose calls need no password. A claim is pending and identifies nobody. It becomes proven when the account's own digest
-- comes from the address, or approved by an administrator.
create table trusted_addresses (
  id         integer generated always as identity primary key,
  user_id    integer not null references users on delete cascade,
  address    text not null check (length(address) between 2 and 45),
  state      text not null default 'pending' check (state in ('pending', 'proven', 'approved')),
  added_at   timestamptz not null,
  trusted_at timestamptz,
  -- The administrator who approved it.
  approved_by integer references users on delete set null,
  unique (user_id, address),
  check ((state = 'pending') = (trusted_at is null))
);
-- An address that two accounts have proven identifies neither; an administrator decides for one.
create unique index trusted_addresses_approved on trusted_addresses (address) where state = 'approved';
create index trusted_addresses_address on trusted_addresses (address);

create trigger trusted_addresses_told after insert or update or delete on trusted_addresses
  for each row execute function tell_call_control('user', 'user_id');

-- Addresses in use before this table existed: proven where a phone of the account is registered from there, otherwise pending.
insert into trusted_addresses (user_id, address, state, added_at, trusted_at)
select u.id, u.host, case when r.since is null then 'pending' else 'proven' end, now(), r.since
  from users as u
       left join lateral (select max(registered_at) as since from registrations
                           where user_id = u.id and address = u.host) as r on true
 where u.host ~ '^[0-9]{1,3}([.][0-9]{1,3}){3}$' or u.host ~ '^[0-9a-f:.]*:[0-9a-f:.]*$';

-- A claim takes nothing away from others any more.
drop index users_host;

-- Addresses of ours that some customers are shown: nobody may claim one.
create index users_websiteip on users (websiteip) where websiteip is not null;
