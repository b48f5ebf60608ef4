import type { PaymentState } from '@trunkline/contract/payment-states'
import type { PromoType } from '@trunkline/contract/promo-codes'
import type { TicketPriority, TicketStatus } from '@trunkline/contract/tickets'
import type { Account, Hold, PostingKind } from '@trunkline/domain/ledger'
import type { InvoiceState, ReviewReason } from '@trunkline/domain/payments'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { CarrierInvoiceTables } from './carrier-invoice-tables.ts'
import type { CatalogueTables } from './catalogue-tables.ts'
import type { MediaTables } from './media-tables.ts'
import type { TelephonyTables } from './telephony-tables.ts'

/** Table types for Kysely. A test compares them with the migrated database. */
export type Tables = OtherTables & CarrierInvoiceTables & MediaTables & CatalogueTables & TelephonyTables

type OtherTables = {
  users: {
    id: Generated<number>
    username: string
    email: string | null
    /** Null if the address is not verified. */
    email_verified_at: Date | null
    name: string | null
    company: string | null
    country: string | null
    home_country: string | null
    host: Generated<string>
    websiteip: string | null
    is_admin: Generated<boolean>
    is_premium: Generated<boolean>
    password_hash: string
    disabled_at: Date | null
    merged_into: number | null
    created_at: Date
    version: Generated<number>
  }
  email_changes: {
    user_id: number
    email: string
    token_hash: Buffer | null
    created_at: Date
    expires_at: Date
  }
  known_devices: {
    user_id: number
    device: string
    last_used_at: Date
  }
  sessions: {
    id: GeneratedAlways<number>
    token_hash: Buffer
    user_id: number
    created_at: Date
    last_used_at: Date
    /** When the user last entered the password in this session. */
    proven_at: Date | null
    expires_at: Date
    address: string
    user_agent: string
  }
  phones: {
    name: string
    session_id: number
    user_id: number
    token_hash: Buffer
    realm: string
    ha1_md5: string
    ha1_sha256: string
    made_at: Date
    connected_at: Date | null
    expires_at: Date
    receives: Generated<boolean>
  }
  password_resets: {
    token_hash: Buffer
    user_id: number
    created_at: Date
    expires_at: Date
  }
  attempts: {
    key: string
    attempts: number
    window_ends_at: Date
  }
  known_addresses: {
    user_id: number
    address: string
    last_used_at: Date
  }
  contact_requests: {
    id: Generated<number>
    name: string
    email: string
    phone: string
    message: string
    address: string
    created_at: Date
    handled_at: Date | null
    handled_by: number | null
  }
  accounts: {
    user_id: number
    balance_micros: Generated<bigint>
    held_micros: Generated<bigint>
  }
  balance_order: {
    user_id: number
    balance_micros: bigint
  }
  user_totals: {
    shard: number
    users: bigint
  }
  user_figures: {
    one: Generated<boolean>
    active_users: number
    counted_at: Date
  }
  postings: {
    id: Generated<bigint>
    key: string
    fingerprint: string | null
    kind: PostingKind
    user_id: number
    reference: string
    reason: string | null
    created_by: number | null
    at: Date
    balance_after_micros: bigint
  }
  entries: {
    posting_id: bigint
    account: Account
    amount_micros: bigint
  }
  holds: {
    hold_id: string
    user_id: number
    placed_micros: bigint
    amount_micros: bigint
    status: Hold['status']
    settled_micros: bigint
    placed_at: Date
    closed_at: Date | null
  }
  promo_codes: {
    id: Generated<number>
    code: string
    type: PromoType
    basis_points: number | null
    amount_micros: bigint | null
    expires_at: Date | null
    total_limit: number | null
    per_user_limit: number | null
    active: boolean
    created_by: number
    created_at: Date
    version: Generated<number>
  }
  archives: {
    file: string
    source: string
    begins: Date
    ends: Date
    row_count: bigint
    sha256: string
    sums: unknown | null
    archived_at: Date
  }
  book_proofs: {
    at: Date
    faults: number
  }
  invoices: {
    id: Generated<number>
    user_id: number
    kind: 'topup' | 'upgrade'
    order_id: string
    track_id: string | null
    amount_micros: bigint
    state: InvoiceState
    is_credited: Generated<boolean>
    has_expired: Generated<boolean>
    received_micros: bigint | null
    paid_micros: Generated<bigint>
    credited_micros: Generated<bigint>
    refunded_micros: Generated<bigint>
    open_reviews: Generated<number>
    payment_url: string | null
    expires_at: Date | null
    created_at: Date
    paid_at: Date | null
    next_poll_at: Date | null
    shown_state: GeneratedAlways<PaymentState>
  }
  invoice_events: {
    id: Generated<bigint>
    invoice_id: number | null
    at: Date
    source: 'us' | 'callback' | 'poll' | 'admin'
    track_id: string | null
    status: string | null
    received_micros: bigint | null
    outcome: string[]
    actor_id: number | null
    note: string | null
    report: ColumnType<object | null, string | null, never>
  }
  payment_reviews: {
    id: Generated<number>
    invoice_id: number | null
    track_id: string | null
    order_id: string | null
    reason: ReviewReason
    amount_micros: bigint | null
    credited_micros: Generated<bigint>
    credits: Generated<number>
    state: Generated<'open' | 'credited' | 'ignored'>
    created_at: Date
    open_since: Date
    returned_at: Date | null
    resolved_at: Date | null
    resolved_by: number | null
    resolution: string | null
  }
  refunds: {
    id: Generated<number>
    invoice_id: number
    user_id: number
    amount_micros: bigint
    destination: 'balance' | 'paid_out'
    reference: string | null
    reason: string
    was_whole: boolean
    request_key: string
    created_by: number
    created_at: Date
  }
  promo_redemptions: {
    id: Generated<number>
    promo_code_id: number
    user_id: number
    invoice_id: number | null
    bonus_micros: bigint
    state: 'reserved' | 'used' | 'released'
    created_at: Date
    used_at: Date | null
  }
  payment_totals: {
    shard: number
    paid_micros: Generated<bigint>
    payments: Generated<bigint>
  }
  alert_settings: {
    is_only: Generated<boolean>
    version: Generated<number>
    large_top_up_micros: bigint | null
    low_balance_micros: bigint | null
    unusual_spend_percent: number | null
    unusual_spend_least_micros: Generated<bigint>
    failed_sign_ins_account: number | null
    failed_sign_ins_address: number | null
    mail_to: Generated<string[]>
    mail_topics: Generated<string[]>
    weekly_report_timezone: string | null
    weekly_report_sent: Date | null
    updated_at: Date | null
    updated_by: number | null
  }
  alert_mails: {
    id: Generated<number>
    recipient: string
    subject: string
    body: string
    created_at: Date
    sent_at: Date | null
  }
  audit_log: {
    id: Generated<bigint>
    at: Date
    actor_id: number
    action: string
    subject: string
    user_id: number | null
    before: ColumnType<Record<string, unknown> | null, string | null, never>
    after: ColumnType<Record<string, unknown> | null, string | null, never>
    reason: string | null
  }
  tickets: {
    id: Generated<number>
    user_id: number
    subject: string
    status: Generated<TicketStatus>
    priority: Generated<TicketPriority>
    created_at: Date
    updated_at: Date
    user_unread: Generated<number>
    staff_unread: Generated<number>
    awaits_staff: Generated<boolean>
    assignee_id: number | null
    first_answered_at: Date | null
    /** The oldest message of the customer without a reply. */
    waiting_since: Date | null
  }
  ticket_notes: {
    id: Generated<number>
    ticket_id: number
    author_id: number | null
    body: string
    created_at: Date
  }
  canned_replies: {
    id: Generated<number>
    name: string
    body: string
    version: Generated<number>
    updated_at: Date
  }
  user_notes: {
    id: Generated<number>
    user_id: number
    author_id: number | null
    body: string
    is_pinned: Generated<boolean>
    created_at: Date
    edited_at: Date | null
  }
  saved_views: {
    id: Generated<number>
    user_id: number
    screen: string
    name: string
    query: string
    created_at: Date
  }
  account_merges: {
    id: Generated<number>
    from_id: number
    into_id: number
    moved_micros: bigint
    request_key: string
    merged_by: number
    merged_at: Date
  }
  bulk_actions: {
    id: Generated<number>
    actor_id: number
    action: ColumnType<Record<string, unknown>, string, never>
    created_at: Date
    applied_at: Date | null
  }
  bulk_rows: {
    bulk_id: number
    place: number
    user_id: number
    skipped: string | null
    before: ColumnType<Record<string, unknown>, string, never>
    after: ColumnType<Record<string, unknown>, string, never>
  }
  user_tags: {
    user_id: number
    tag: string
  }
  ticket_messages: {
    id: Generated<number>
    ticket_id: number
    author_id: number
    is_staff: boolean
    body: string
    created_at: Date
  }
}
