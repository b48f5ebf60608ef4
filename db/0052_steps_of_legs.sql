-- The replay shows a leg in the step that called it: the number of steps that the call had entered. An admitted leg is kept as long as
-- the log of its call. Legs of earlier releases have no step.
delete from media_legs where not exists (select from media_calls where media_calls.call_id = media_legs.parent_call_id);
alter table media_legs add column step integer check (step > 0),
  add foreign key (parent_call_id) references media_calls on delete cascade;
create index media_legs_parent on media_legs (parent_call_id);
drop index media_legs_created;
create index media_legs_unused on media_legs (created_at) where call_id is null;
