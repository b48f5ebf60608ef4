import type { CallerIdState } from '@trunkline/contract/caller-ids'
import type { AddressState } from '@trunkline/contract/trusted-addresses'
import type { CallReason, CallStatus } from '@trunkline/domain/callcontrol'
import type { MediaQuality } from '@trunkline/domain/media-quality'
import type { ColumnType, Generated } from 'kysely'

/** Tables for live calls and call records. */
export type TelephonyTables = {
  trusted_addresses: {
    id: Generated<number>
    user_id: number
    address: string
    state: Generated<AddressState>
    added_at: Date
    trusted_at: Date | null
    approved_by: number | null
  }
  caller_ids: {
    user_id: number
    callerid: string
    countrycode: Generated<string>
    name: Generated<string>
    updated_at: Date
  }
  caller_id_requests: {
    id: Generated<number>
    user_id: number
    callerid: string
    state: Generated<CallerIdState>
    requested_at: Date
    decided_at: Date | null
    decided_by: number | null
    note: Generated<string>
  }
  service_settings: {
    name: string
    value: string
    updated_at: Date
  }
  alerts: {
    id: Generated<number>
    kind: string
    subject: string
    user_id: number | null
    message: string
    details: ColumnType<Record<string, unknown>, string | undefined, string>
    times: Generated<number>
    first_at: Date
    last_at: Date
    acknowledged_at: Date | null
    acknowledged_by: number | null
    mail_considered_at: Date | null
  }
  switches: {
    switch_id: string
    software: string
    started_at: Date
    last_seen_at: Date
    sip_address: Generated<string | null>
  }
  live_calls: {
    call_id: string
    switch_id: string
    user_id: number
    state: 'authorized' | 'ringing' | 'answered'
    sip_account: string
    source_address: string
    device: string
    caller_id: string
    dialed: string
    destination: string
    country: string
    line_type: string
    route_id: number
    route_name: string
    plan_name: string
    rate_prefix: string | null
    price_micros: bigint
    connect_fee_micros: bigint
    first_increment: number
    next_increment: number
    trunks: ColumnType<OfferedTrunkColumns[], string, string>
    trunk_id: number | null
    held_micros: bigint
    covered_seconds: number
    is_demo: Generated<boolean>
    started_at: Date
    ringing_at: Date | null
    answered_at: Date | null
    hangup_at: Date | null
    hangup_by: number | null
    hangup_reason: string | null
    direction: Generated<'in' | 'out'>
    number_id: number | null
    parent_call_id: string | null
    caller_name: Generated<string>
    explanation: Generated<string>
  }
  trunk_health: {
    switch_id: string
    trunk_id: number
    is_up: boolean
    code: number
    since: Date
    checked_at: Date
  }
  trunk_registrations: {
    switch_id: string
    trunk_id: number
    is_registered: boolean
    since: Date
  }
  emergency_route: {
    id: Generated<boolean>
    trunk_id: number
    sent_as: string | null
    caller_id: string
    updated_at: Date
  }
  sip_credentials: {
    user_id: number
    realm: string
    ha1_md5: string | null
    ha1_sha256: string | null
    made_at: Date
  }
  registrations: {
    switch_id: string
    user_id: number
    contact: string
    address: string
    device: string
    registered_at: Date
    expires_at: Date
  }
  cdrs: {
    started_at: Date
    ringing_at: Date | null
    answered_at: Date | null
    ended_at: Date
    cost_micros: bigint
    buy_micros: bigint
    price_micros: bigint | null
    connect_fee_micros: bigint | null
    user_id: number | null
    route_id: number | null
    trunk_id: number | null
    seconds: number
    billed_seconds: number
    first_increment: number | null
    next_increment: number | null
    sip_code: number | null
    is_demo: boolean
    call_id: string
    switch_id: string
    status: CallStatus
    reason: CallReason
    sip_account: string
    source_address: string
    device: string
    caller_id: string
    dialed: string
    destination: string
    country: string | null
    line_type: string | null
    route_name: string | null
    plan_name: string | null
    rate_prefix: string | null
    trunk_name: string | null
    attempts: ColumnType<
      { trunk: number; name: string; code: number; reason: string; at?: number; until?: number }[],
      string,
      never
    >
    hung_up_by: string | null
    media: ColumnType<MediaQuality | null, string, never>
    direction: Generated<'in' | 'out'>
    number_id: number | null
    parent_call_id: string | null
    caller_name: Generated<string>
    explanation: Generated<string>
  }
  account_hours: {
    user_id: number
    hour: Date
  } & CallSums
  account_days: {
    user_id: number
    day: Date
    country: string
    route_id: number
  } & CallSums
  platform_hours: {
    hour: Date
    shard: number
  } & CallSums
  platform_days: {
    day: Date
    shard: number
    country: string
    route_id: number
  } & CallSums
  figure_quarters: {
    dimension: string
    quarter: Date
    key: string
  } & CallFigures
  figure_blocks: {
    dimension: string
    block: Date
    key: string
  } & CallFigures
  figure_days: {
    dimension: string
    day: Date
    key: string
  } & CallFigures
  figure_weeks: {
    dimension: string
    week: Date
    key: string
  } & CallFigures
  quality_hours: {
    user_id: number
    hour: Date
    country: string
    calls: number
    completed: number
    seconds: bigint
    measured: number
    poor: number
    mos_tenths: bigint
    loss_tenths: bigint
    jitter_tenths: bigint
  }
  trunk_quarters: {
    quarter: Date
    trunk_id: number
    country: string
    calls: number
    answered: number
  }
  unsummed_calls: {
    started_at: Date
    call_id: string
  }
  trunk_days: {
    day: Date
    shard: number
    trunk_id: number
    attempts: number
    answered: number
    unreached: number
    seconds: bigint
    cost_micros: bigint
    buy_micros: bigint
  }
}

/** Sums of calls per period. */
type CallSums = {
  calls: number
  completed: number
  busy: number
  no_answer: number
  cancelled: number
  failed: number
  refused: number
  seconds: bigint
  billed_seconds: bigint
  cost_micros: bigint
  buy_micros: bigint
}

/** Figures of calls per period, from which the ASR and the ACD are computed. */
type CallFigures = {
  calls: number
  answered: number
  reached: number
  rang: number
  ring_delay_ms: bigint
  seconds: bigint
  cost_micros: bigint
  buy_micros: bigint
}

/** Trunks in `live_calls`. Calls that began before terms were stored have only the price. */
type OfferedTrunkColumns = {
  id: number
  name: string
  buy_rate_micros: number
  buy_connect_fee_micros?: number
  buy_first_increment?: number
  buy_next_increment?: number
}
