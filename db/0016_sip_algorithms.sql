-- A SIP password is made for one digest algorithm: MD5, or SHA-256 for customers who ask for it. Only the digest of that algorithm is kept.
alter table sip_credentials
  alter ha1_md5 drop not null,
  alter ha1_sha256 drop not null,
  add constraint sip_credentials_usable check (num_nonnulls(ha1_md5, ha1_sha256) >= 1);
