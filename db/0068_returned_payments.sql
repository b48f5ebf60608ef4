-- When the provider returned money that matches no payment to its payer.
alter table payment_reviews add column returned_at timestamptz;

update payment_reviews as r set returned_at = e.at
  from (select track_id, min(at) as at from invoice_events
         where invoice_id is null and lower(btrim(status)) = 'refunded' group by track_id) as e
 where r.invoice_id is null and r.track_id = e.track_id;

insert into payment_reviews (track_id, order_id, reason, amount_micros, created_at, open_since)
select distinct on (track_id) track_id, order_id, 'refunded_after_credit', amount_micros, returned_at, now()
  from payment_reviews
 where returned_at is not null and credits > 0
 order by track_id, amount_micros desc nulls last
on conflict do nothing;
