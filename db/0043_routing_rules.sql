-- The order of trunks for a plan, or for a plan and a country. Without a rule: primary trunks, priority, cost.
create table routing_rules (
  id             integer generated always as identity primary key,
  plan_id        integer not null references plans on delete cascade,
  -- Null: all countries without a rule of their own.
  country        text check (country ~ '^([A-Z]{2}|001)$'),
  mode           text not null check (mode in ('order', 'cost', 'share')),
  -- A trunk whose ASR is below this percentage comes last for a while. All four are null without a threshold.
  min_asr        integer check (min_asr between 1 and 100),
  min_calls      integer check (min_calls between 1 and 10000),
  window_minutes integer check (window_minutes between 15 and 1440),
  rest_minutes   integer check (rest_minutes between 1 and 1440),
  version        integer not null default 1,
  updated_at     timestamptz not null,
  constraint routing_rules_quality check (num_nulls(min_asr, min_calls, window_minutes, rest_minutes) in (0, 4))
);
create unique index routing_rules_plan on routing_rules (plan_id, coalesce(country, '*'));

create table routing_rule_trunks (
  rule_id  integer not null references routing_rules on delete cascade,
  trunk_id integer not null references trunks on delete cascade,
  place    integer not null,
  percent  integer check (percent between 1 and 100),
  primary key (rule_id, trunk_id)
);
create index routing_rule_trunks_trunk on routing_rule_trunks (trunk_id);

-- The quality of each trunk of a rule with a threshold, as the worker judged it. Every call control reads the same rows.
create table routing_states (
  rule_id        integer not null references routing_rules on delete cascade,
  trunk_id       integer not null references trunks on delete cascade,
  demoted_since  timestamptz,
  returns_at     timestamptz,
  -- The attempts that demoted it.
  cause_calls    integer,
  cause_answered integer,
  seen_calls     integer not null,
  seen_answered  integer not null,
  -- The count of the quarter of an hour in which the state changed. Attempts before the change do not count again.
  mark_quarter   timestamptz,
  mark_calls     integer,
  mark_answered  integer,
  judged_at      timestamptz not null,
  primary key (rule_id, trunk_id),
  constraint routing_states_demoted check (num_nulls(demoted_since, returns_at, cause_calls, cause_answered) in (0, 4)),
  constraint routing_states_mark check (num_nulls(mark_quarter, mark_calls, mark_answered) in (0, 3))
);
create index routing_states_trunk on routing_states (trunk_id);

create trigger routing_rules_told after insert or update or delete on routing_rules
  for each row execute function tell_call_control('routing', 'id');
create trigger routing_rule_trunks_told after insert or update or delete on routing_rule_trunks
  for each row execute function tell_call_control('routing', 'rule_id');
-- The worker updates all rows every minute. Call control needs demotions only.
create trigger routing_states_told after update on routing_states for each row
  when (old.returns_at is distinct from new.returns_at)
  execute function tell_call_control('routing', 'rule_id');
create trigger routing_states_inserted after insert on routing_states for each row
  when (new.returns_at is not null) execute function tell_call_control('routing', 'rule_id');
create trigger routing_states_deleted after delete on routing_states for each row
  when (old.returns_at is not null) execute function tell_call_control('routing', 'rule_id');

-- Attempts at trunks by country and quarter of an hour, added together with the figures of the analysis. Country is empty if unknown.
create table trunk_quarters (
  quarter  timestamptz not null,
  trunk_id integer not null,
  country  text not null,
  calls    integer not null,
  answered integer not null,
  primary key (quarter, trunk_id, country)
) with (fillfactor = 80);

-- The past eight days, so that a simulation has figures at once. Queued records are added later.
insert into trunk_quarters (quarter, trunk_id, country, calls, answered)
select date_bin('15 minutes', started_at, 'epoch'), trunk_id, country, count(*), count(*) filter (where is_answered)
  from (select started_at, trunk_id, coalesce(country, '') as country, true as is_answered
          from cdrs as c where started_at >= now() - interval '8 days' and status = 'completed' and trunk_id is not null
           and not exists (select from unsummed_calls as q where (q.started_at, q.call_id) = (c.started_at, c.call_id))
        union all
        select started_at, attempt.trunk, coalesce(country, ''), false
          from cdrs as c cross join lateral jsonb_to_recordset(attempts) as attempt (trunk integer, code integer)
         where started_at >= now() - interval '8 days' and attempt.code not between 200 and 299
           and not exists (select from unsummed_calls as q where (q.started_at, q.call_id) = (c.started_at, c.call_id))) as tried
 group by 1, 2, 3;

-- A demoted trunk is worth a mail wherever a trunk that is down is.
alter table alert_settings
  alter mail_topics set default '{large_top_up,guard_fired,unusual_spend,trunk_down,trunk_quality,unreleased_call,overload,failed_sign_ins,payment_review}';
update alert_settings
   set mail_topics = array_append(mail_topics, 'trunk_quality')
 where 'trunk_down' = any (mail_topics);
