-- The User-Agent of the phone or PBX that called. Empty if it sent none, and for older calls.
alter table live_calls add column device text not null default '';
alter table cdrs add column device text not null default '';
