import type { PriceCounts, PricingRule, UndoOutcome } from '@trunkline/contract/bulk-pricing'
import type { DeckCounts } from '@trunkline/contract/rate-decks'
import type { SkipReason } from '@trunkline/domain/pricing'
import type { NumberStatus, NumberType, RentalState, RingPlan } from '@trunkline/domain/ringing'
import type { RoutingMode } from '@trunkline/domain/routing'
import type { ColumnType, Generated } from 'kysely'

/** Tables for plans, routes, trunks, their rates, and limits. */
export type CatalogueTables = {
  plans: {
    id: Generated<number>
    name: string
    created_at: Date
  }
  routes: {
    id: Generated<number>
    country: string
    name: string
    plan_id: number
    price_micros: bigint
    connect_fee_micros: Generated<bigint>
    first_increment: Generated<number>
    next_increment: Generated<number>
    is_premium: Generated<boolean>
    sells_below_cost: Generated<boolean>
    version: Generated<number>
    created_at: Date
    updated_at: Date
  }
  route_rates: {
    route_id: number
    prefix: string
    price_micros: bigint
    connect_fee_micros: Generated<bigint>
    first_increment: Generated<number>
    next_increment: Generated<number>
  }
  trunks: {
    id: Generated<number>
    name: string
    provider: Generated<string>
    type: Generated<'sip' | 'pstn'>
    country: string | null
    host: string
    port: Generated<number>
    transport: Generated<'udp' | 'tcp' | 'tls'>
    auth_username: string | null
    auth_password: string | null
    strip_digits: Generated<number>
    add_prefix: Generated<string>
    capacity: Generated<number>
    buy_rate_micros: Generated<bigint>
    buy_connect_fee_micros: Generated<bigint>
    buy_first_increment: Generated<number>
    buy_next_increment: Generated<number>
    status: Generated<'active' | 'inactive'>
    priority: Generated<number>
    is_primary: Generated<boolean>
    incoming_sources: Generated<string[]>
    incoming_country: string | null
    incoming_prefix: Generated<string>
    incoming_realm: string | null
    incoming_ha1: string | null
    registers: Generated<boolean>
    version: Generated<number>
    created_at: Date
    updated_at: Date
  }
  numbers: {
    id: Generated<number>
    e164: string
    country: string
    area: Generated<string>
    type: NumberType
    trunk_id: number | null
    monthly_micros: bigint
    setup_micros: bigint
    price_micros: bigint
    cost_monthly_micros: Generated<bigint>
    cost_micros: Generated<bigint>
    max_calls: Generated<number>
    tags: Generated<string[]>
    note: Generated<string>
    status: NumberStatus
    user_id: number | null
    created_at: Date
    version: Generated<number>
  }
  number_rentals: {
    id: Generated<number>
    number_id: number | null
    e164: string
    user_id: number
    monthly_micros: bigint
    setup_micros: bigint
    price_micros: bigint
    state: RentalState
    started_at: Date
    periods: number
    paid_until: Date
    cancels: Generated<boolean>
    warned_period: number | null
    overdue_since: Date | null
    suspended_at: Date | null
    ended_at: Date | null
    end_reason: 'cancelled' | 'unpaid' | 'released' | null
    ring_plan: ColumnType<RingPlan, string, string>
    request_key: string
    records: Generated<boolean>
    version: Generated<number>
  }
  number_import_progress: {
    request_key: string
    done: number
    total: number
    updated_at: Date
  }
  number_imports: {
    request_key: string
    fingerprint: string
    imported: number
    updated: number
    skipped: number
    imported_by: number
    imported_at: Date
  }
  routing_rules: {
    id: Generated<number>
    plan_id: number
    country: string | null
    mode: RoutingMode
    min_asr: number | null
    min_calls: number | null
    window_minutes: number | null
    rest_minutes: number | null
    version: Generated<number>
    updated_at: Date
  }
  routing_rule_trunks: {
    rule_id: number
    trunk_id: number
    place: number
    percent: number | null
  }
  routing_states: {
    rule_id: number
    trunk_id: number
    demoted_since: Date | null
    returns_at: Date | null
    cause_calls: number | null
    cause_answered: number | null
    seen_calls: number
    seen_answered: number
    mark_quarter: Date | null
    mark_calls: number | null
    mark_answered: number | null
    judged_at: Date
  }
  trunk_rates: {
    trunk_id: number
    prefix: string
    price_micros: bigint
    connect_fee_micros: Generated<bigint>
    first_increment: Generated<number>
    next_increment: Generated<number>
  }
  rate_decks: {
    id: Generated<number>
    trunk_id: number | null
    route_id: number | null
    mode: 'replace' | 'merge'
    effective_at: Date
    line_count: number
    counts: ColumnType<DeckCounts, string, string>
    untouched: Generated<string[]>
    created_by: number
    created_at: Date
    applied_at: Date | null
    canceled_at: Date | null
  }
  planned_rates: {
    deck_id: number
    line: number
    prefix: string
    price_micros: bigint
    connect_fee_micros: bigint
    first_increment: number
    next_increment: number
  }
  trunk_plans: {
    trunk_id: number
    plan_id: number
  }
  selected_routes: {
    user_id: number
    country: string
    route_id: number
    selected_at: Date
  }
  guards: {
    user_id: number
    set_by: 'admin' | 'customer'
    are_calls_stopped: boolean | null
    updated_at: Date
  } & LimitColumns
  limit_templates: {
    id: Generated<number>
    name: string
    version: Generated<number>
    updated_at: Date
  } & LimitColumns
  applied_templates: {
    user_id: number
    template_id: number | null
    name: string
    limits: ColumnType<Record<string, unknown>, string, string>
    applied_at: Date
    applied_by: number | null
  }
  price_changes: {
    id: Generated<number>
    actor_id: number
    rule: ColumnType<PricingRule, string, never>
    counts: ColumnType<PriceCounts, string, never>
    calls: number
    revenue_micros: bigint
    effect_micros: bigint
    created_at: Date
    applied_at: Date | null
    undone_at: Date | null
    undone_by: number | null
    restored: number | null
  }
  price_change_rows: {
    change_id: number
    place: number
    route_id: number
    country: string
    route_name: string
    plan_name: string
    prefix: string
    connect_fee_micros: bigint
    first_increment: number
    next_increment: number
    trunk_name: string | null
    cost_micros: bigint | null
    before_micros: bigint
    after_micros: bigint | null
    skipped: SkipReason | null
    customers: number
    calls: number
    revenue_micros: bigint
    effect_micros: bigint
    undo: UndoOutcome | null
  }
}

/** Limits of a customer. Null: no limit of its own. */
type LimitColumns = {
  max_concurrent_calls: number | null
  max_calls_per_second: number | null
  daily_spend_micros: bigint | null
  max_price_micros: bigint | null
  allowed_countries: string[] | null
  blocked_countries: string[] | null
  is_high_risk_allowed: boolean | null
}
