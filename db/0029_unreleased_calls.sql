-- A carrier that does not confirm the end of a call is worth a mail wherever a trunk that is down is.
alter table alert_settings
  alter mail_topics set default '{large_top_up,guard_fired,unusual_spend,trunk_down,unreleased_call,failed_sign_ins,payment_review}';
update alert_settings
set mail_topics = array_append(mail_topics, 'unreleased_call')
where 'trunk_down' = any (mail_topics);
