-- Flows, voicemail and recordings, and the media processes that run them.

-- Running media processes. `seen_at` is updated every second; a process that is not seen for some seconds is gone, and its calls end.
create table media_servers (
  id         text primary key check (id ~ '^[A-Za-z0-9._-]{1,60}$'),
  host       text not null,
  port       integer not null check (port between 1 and 65535),
  -- Digest password of `media~<id>`, new at every start.
  password   text not null,
  started_at timestamptz not null,
  seen_at    timestamptz not null,
  -- It finishes its calls and takes no new ones.
  is_leaving boolean not null default false,
  live_calls integer not null default 0
);
create trigger media_servers_told after insert or delete or update of host, port, password, started_at, is_leaving on media_servers
  for each row execute function tell_call_control('media', 'id');

-- Sounds of customers, encoded once in both laws of G.711.
create table sounds (
  id         integer generated always as identity primary key,
  user_id    integer not null references users on delete cascade,
  name       text not null check (length(name) between 1 and 100),
  -- upload: a file. microphone: recorded in the browser. phone: recorded by a call.
  origin     text not null check (origin in ('upload', 'microphone', 'phone')),
  seconds    numeric(7, 2) not null check (seconds > 0),
  alaw       bytea not null,
  ulaw       bytea not null,
  created_at timestamptz not null,
  unique (user_id, name)
);

-- Speech made from texts, shared by all customers. `key` is a hash of language and text.
create table spoken_texts (
  key     text primary key,
  alaw    bytea not null,
  ulaw    bytea not null,
  used_at timestamptz not null
);

create table flows (
  id                integer generated always as identity primary key,
  user_id           integer not null references users on delete cascade,
  name              text not null check (length(name) between 1 and 100),
  -- domain/flows. The draft may have problems; a published version has none.
  draft             jsonb not null,
  -- Signs the requests of `http` steps.
  secret            text not null,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  -- Changes of the draft.
  version           integer not null default 1,
  published_version integer,
  unique (user_id, name)
);

create table flow_versions (
  id           integer generated always as identity primary key,
  flow_id      integer not null references flows on delete cascade,
  -- 1, 2, 3 ... per flow.
  number       integer not null,
  flow         jsonb not null,
  note         text not null default '' check (length(note) <= 200),
  published_at timestamptz not null,
  published_by integer not null references users,
  unique (flow_id, number)
);
create trigger flows_told after insert or delete or update of name, published_version on flows
  for each row execute function tell_call_control('flow', 'id');

-- Calls that a media process handles. A call stays on its version of the flow.
create table media_calls (
  call_id          text primary key,
  user_id          integer not null references users on delete cascade,
  -- mailbox: the customer listens to messages.
  kind             text not null check (kind in ('flow', 'voicemail', 'mailbox')),
  media_id         text not null,
  media_started_at timestamptz not null,
  flow_version_id  integer references flow_versions on delete set null,
  started_at       timestamptz not null,
  ended_at         timestamptz
);
create index media_calls_open on media_calls (media_id) where ended_at is null;
create index media_calls_version on media_calls (flow_version_id);
create index media_calls_user on media_calls (user_id, started_at);

-- The replay: domain/flows, FlowLogEntry.
create table media_call_steps (
  call_id  text not null references media_calls on delete cascade,
  position integer not null,
  entry    jsonb not null,
  primary key (call_id, position)
);

-- A leg that a media process requests: it calls `leg~<token>`, and call control finds here what to ring.
create table media_legs (
  token          text primary key,
  media_id       text not null,
  parent_call_id text not null,
  user_id        integer not null references users on delete cascade,
  -- { "kind": "phones" | "pbx" | "number", ... }: a destination of domain/ringing.
  destination    jsonb not null,
  created_at     timestamptz not null,
  -- The call that used the token.
  call_id        text
);
create index media_legs_created on media_legs (created_at);
create index media_legs_call on media_legs (call_id);

-- Callers who wait, in order of arrival.
create table queue_calls (
  call_id    text primary key references media_calls on delete cascade,
  flow_id    integer not null references flows on delete cascade,
  step_id    text not null,
  entered_at timestamptz not null,
  -- Order of arrival.
  ticket     bigint generated always as identity
);
create index queue_calls_order on queue_calls (flow_id, step_id, ticket);

-- Settings of voicemail and recording, one row per customer who has changed them or whom the operator has allowed to record.
create table voicemail_settings (
  user_id           integer primary key references users on delete cascade,
  greeting_sound_id integer references sounds on delete set null,
  -- Spoken, if there is no sound. Empty: the default greeting.
  greeting_text     text not null default '' check (length(greeting_text) <= 500),
  language          text not null default 'en' check (language in ('en', 'de', 'es', 'fr')),
  -- To the verified address of the account.
  mails             boolean not null default false,
  attaches          boolean not null default true,
  days_kept         integer not null default 30 check (days_kept between 1 and 365),
  version           integer not null default 1
);

-- A stored sound: a file in the data folder or an object, encrypted.
create table voicemails (
  id         integer generated always as identity primary key,
  user_id    integer not null references users on delete cascade,
  call_id    text not null,
  number     text not null,
  caller     text not null,
  caller_name text not null default '',
  started_at timestamptz not null,
  -- Zero while it is being recorded.
  seconds    numeric(7, 2) not null default 0,
  -- recording: a media process is writing it.
  state      text not null check (state in ('recording', 'new', 'read')),
  media_id   text not null,
  file       text not null unique,
  storage    text not null default 'folder' check (storage in ('folder', 's3')),
  -- When it was mailed, or when it was found that no mail is wanted.
  mail_done_at timestamptz
);
create index voicemails_user on voicemails (user_id, started_at);
create index voicemails_open on voicemails (media_id) where state = 'recording';
create index voicemails_unmailed on voicemails (id) where mail_done_at is null;
create index voicemails_in_folder on voicemails (id) where storage = 'folder';
-- Call control tells the customer's phones how many messages are new.
create trigger voicemails_told after insert or delete or update of state, user_id on voicemails
  for each row execute function tell_call_control('voicemail', 'user_id');

create table recording_settings (
  user_id      integer primary key references users on delete cascade,
  -- Consent of the operator.
  is_allowed   boolean not null default false,
  -- All calls of the account. Else only numbers and flow steps that ask for it.
  records_all  boolean not null default false,
  announces    boolean not null default true,
  days_kept    integer not null default 30 check (days_kept between 1 and 3650),
  version      integer not null default 1
);
alter table number_rentals add column records boolean not null default false;

create table recordings (
  id         integer generated always as identity primary key,
  user_id    integer not null references users on delete cascade,
  call_id    text not null,
  started_at timestamptz not null,
  seconds    numeric(9, 2) not null default 0,
  state      text not null check (state in ('recording', 'ready')),
  media_id   text not null,
  file       text not null unique,
  storage    text not null default 'folder' check (storage in ('folder', 's3')),
  -- What it cost the customer.
  micros     bigint not null default 0 check (micros >= 0),
  -- When its price was booked.
  booked_at  timestamptz
);
create index recordings_call on recordings (call_id);
create index recordings_user on recordings (user_id, started_at);
create index recordings_open on recordings (media_id) where state = 'recording';
create index recordings_unbooked on recordings (id) where booked_at is null;
create index recordings_in_folder on recordings (id) where storage = 'folder';

-- The price of recordings.
alter table postings drop constraint postings_kind_check;
alter table postings add constraint postings_kind_check check (kind in ('top_up', 'upgrade_purchase', 'promo_credit', 'adjustment',
  'refund_to_balance', 'refund_paid_out', 'call_settlement', 'number_rent', 'recording'));
alter table entries drop constraint entries_account_check;
alter table entries add constraint entries_account_check check (account like 'customer:%' or account in (
  'call_revenue', 'upgrade_revenue', 'payment_clearing', 'promotions', 'adjustments', 'refunds', 'number_revenue',
  'recording_revenue'));
