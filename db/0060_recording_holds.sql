-- While a call is recorded, the price is held in slices. The hold has the id 'recording:<id>'.
-- Price of a minute when the recording began. Null: it began in an earlier release, without a hold, and costs the price at its booking.
alter table recordings add column price_micros bigint check (price_micros >= 0);
