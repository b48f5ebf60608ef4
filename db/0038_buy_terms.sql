-- Terms of carriers: a fee for each answered call, and increments such as 60/60. The price stays per minute.
alter table trunks
  add column buy_connect_fee_micros bigint not null default 0 check (buy_connect_fee_micros >= 0),
  add column buy_first_increment integer not null default 1 check (buy_first_increment between 1 and 3600),
  add column buy_next_increment integer not null default 1 check (buy_next_increment between 1 and 3600);

alter table trunk_rates
  add column connect_fee_micros bigint not null default 0 check (connect_fee_micros >= 0),
  add column first_increment integer not null default 1 check (first_increment between 1 and 3600),
  add column next_increment integer not null default 1 check (next_increment between 1 and 3600);

-- The cost of a one-minute call, rounded up to a micro-dollar. The same rule as costOfMinute in domain/rating.
create function cost_of_minute(price_micros bigint, connect_fee_micros bigint, first_increment integer, next_increment integer)
returns bigint language sql immutable parallel safe as $$
  select connect_fee_micros + (price_micros * (first_increment
    + ((greatest(60 - first_increment, 0) + next_increment - 1) / next_increment) * next_increment) + 59) / 60
$$;
