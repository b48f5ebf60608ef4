-- Months that were written to files and taken out of the database, and the proof of what was taken.
create table archives (
  file        text primary key,
  source      text not null check (source in ('cdrs', 'audit_log', 'alerts', 'invoice_events')),
  -- The month, in UTC: from its first moment to the first of the next.
  begins      timestamptz not null,
  ends        timestamptz not null,
  row_count   bigint not null check (row_count >= 0),
  sha256      text not null,
  -- Of call records: what the kept sums of the month hold beyond the records that are still here, a fingerprint for each table of sums.
  sums        jsonb,
  archived_at timestamptz not null
);
create index archives_month on archives (source, begins, archived_at);
