-- The dashboard adds up the top-ups of a day.
create index invoices_paid on invoices (paid_at) where paid_at is not null;
