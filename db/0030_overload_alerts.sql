-- An overloaded switch is worth a mail wherever a trunk that is down is.
alter table alert_settings
  alter mail_topics set default '{large_top_up,guard_fired,unusual_spend,trunk_down,unreleased_call,overload,failed_sign_ins,payment_review}';
update alert_settings
set mail_topics = array_append(mail_topics, 'overload')
where 'trunk_down' = any (mail_topics);
