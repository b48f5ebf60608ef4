-- The dashboard and the cash view add up received payments from the ledger. Calls do not pay for the index.
create index postings_payments on postings (at) where kind in ('top_up', 'upgrade_purchase');
drop index invoices_paid;
