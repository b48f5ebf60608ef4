-- The operator's desk: when alerts are raised and to whom they are mailed, contact requests, filters of the audit log.

-- One row. A threshold that is null is off.
create table alert_settings (
  is_only                    boolean primary key default true check (is_only),
  version                    integer not null default 1,
  large_top_up_micros        bigint default 500000000 check (large_top_up_micros > 0),
  low_balance_micros         bigint default 5000000 check (low_balance_micros > 0),
  -- Today's spending against that of a usual day, and what is too little to speak of whatever is usual.
  unusual_spend_percent      integer default 500 check (unusual_spend_percent between 100 and 100000),
  unusual_spend_least_micros bigint not null default 50000000 check (unusual_spend_least_micros > 0),
  failed_sign_ins_account    integer default 5 check (failed_sign_ins_account between 1 and 30),
  failed_sign_ins_address    integer default 20 check (failed_sign_ins_address between 1 and 50),
  mail_to                    text[] not null default '{}',
  mail_topics                text[] not null default '{large_top_up,guard_fired,unusual_spend,trunk_down,failed_sign_ins,payment_review}',
  updated_at                 timestamptz,
  updated_by                 integer references users
);
insert into alert_settings default values;

-- Whether an alert is to be mailed is asked once, soon after it was opened. Those of before are not news.
alter table alerts add column mail_considered_at timestamptz;
update alerts set mail_considered_at = last_at;
create index alerts_to_consider on alerts (id) where mail_considered_at is null;
create index alerts_kind on alerts (kind, id);

-- Mails on their way: written with the decision to send them, kept until the mail server has taken them.
create table alert_mails (
  id         integer generated always as identity primary key,
  recipient  text not null,
  subject    text not null,
  body       text not null,
  created_at timestamptz not null,
  sent_at    timestamptz
);
create index alert_mails_unsent on alert_mails (id) where sent_at is null;

-- Who spent something today, among all days of all accounts. A row's day never changes, so the many changes of its sums do
-- not touch this index.
create index account_days_day on account_days (day, user_id);

-- The desk's lists.
-- Whose turn it is: whoever did not write last.
alter table tickets add column awaits_staff boolean not null default true;
update tickets set awaits_staff = not (
  select is_staff from ticket_messages where ticket_id = tickets.id order by ticket_messages.id desc limit 1);
create index tickets_waiting on tickets (id) where status = 'open' and awaits_staff;
create index tickets_priority on tickets (priority, id);
create index tickets_subject_words on tickets using gin (lower(subject) gin_trgm_ops);
alter table contact_requests add column handled_by integer references users;
create index contact_requests_handled on contact_requests (id) where handled_at is not null;
create index contact_requests_unhandled on contact_requests (id) where handled_at is null;
drop index contact_requests_open;

-- By time within each filter: a period is a stretch of the index.
create index audit_log_by_time on audit_log (at, id);
create index audit_log_by_actor on audit_log (actor_id, at, id);
create index audit_log_by_user on audit_log (user_id, at, id);
create index audit_log_by_action on audit_log (action, at, id);
create index audit_log_by_subject on audit_log (subject, at, id);
drop index audit_log_actor, audit_log_user, audit_log_action;
