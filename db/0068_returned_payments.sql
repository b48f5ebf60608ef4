-- When the provider returned money that matches no payment to its payer.
alter table payment_reviews add column returned_at timestamptz;
