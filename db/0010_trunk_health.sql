-- Whether a carrier answers, as each switch that pings it has found: the last it told.
create table trunk_health (
  switch_id  text not null check (length(switch_id) between 1 and 60),
  trunk_id   integer not null references trunks on delete cascade,
  is_up      boolean not null,
  -- What the carrier answered; 408 when it did not.
  code       integer not null,
  -- Since when it has been up, or down.
  since      timestamptz not null,
  checked_at timestamptz not null,
  primary key (switch_id, trunk_id)
);
create index trunk_health_trunk on trunk_health (trunk_id);

-- An alert whose cause is gone is closed by nobody in particular.
alter table alerts drop constraint alerts_acknowledged;
alter table alerts add constraint alerts_acknowledged check (acknowledged_by is null or acknowledged_at is not null);
