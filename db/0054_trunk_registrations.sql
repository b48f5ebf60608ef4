-- Whether a switch is registered at the carrier of a trunk.
create table trunk_registrations (
  switch_id     text not null check (length(switch_id) between 1 and 60),
  trunk_id      integer not null references trunks on delete cascade,
  is_registered boolean not null,
  since         timestamptz not null,
  primary key (switch_id, trunk_id)
);
