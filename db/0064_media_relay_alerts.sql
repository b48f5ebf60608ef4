-- Alerts about a failed rtpengine are mailed wherever alerts about trunks are.
alter table alert_settings
  alter mail_topics set default '{large_top_up,guard_fired,unusual_spend,trunk_down,trunk_quality,unreleased_call,overload,media_relay,failed_sign_ins,payment_review,number_rent}';
update alert_settings
   set mail_topics = array_append(mail_topics, 'media_relay')
 where 'trunk_down' = any (mail_topics);
