-- The dashboard adds up the payments of a day, and the cash view the payments and refunds of a month.
create index invoices_paid on invoices (paid_at) where paid_at is not null;
create index refunds_created on refunds (created_at);
