import { reasonText } from '@trunkline/contract/call-reasons'
import type { CdrDetails } from '@trunkline/contract/cdr'
import { accountLabel } from '@trunkline/contract/phone-names'
import { FLOW_LEG_ROUTE_ID, INTERNAL_ROUTE_ID, MAILBOX_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { countryName } from '@trunkline/domain/countries'
import { formatExact, micros, shareRoundedUp } from '@trunkline/domain/money'
import { dollars } from '../../../platform/figures.ts'
import type { CdrRow } from './list-store.ts'

/** Explains a record: the price, the attempts and the end. */

type Explained = Pick<CdrDetails, 'rate' | 'price_steps' | 'path' | 'attempts'>

export function explain(row: CdrRow, seesCarriers: boolean): Explained {
  const carrier = seesCarriers || isRinging(row) ? ownNames(row) : numberedNames(row)
  return {
    rate: rateOf(row),
    price_steps: priceSteps(row),
    path: ringsDevices(row) ? incomingPath(row, seesCarriers) : pathOf(row, carrier, seesCarriers),
    attempts: row.attempts.map(({ trunk, code, reason, at, until }) => ({
      trunk: carrier(trunk),
      code,
      reason: phraseOf(code, reason, seesCarriers),
      at: at === undefined ? null : new Date(at).toISOString(),
      took_ms: at === undefined || until === undefined ? null : Math.max(0, until - at),
    })),
  }
}

type NameOf = (trunkId: number) => string

/** An incoming call, or the leg of a flow to the customer's devices. */
const ringsDevices = (row: CdrRow): boolean => row.direction === 'in' || row.route_id === FLOW_LEG_ROUTE_ID

/** Its attempts are targets of a ring plan, another customer, or the own mailbox, which customers may see. */
const isRinging = (row: CdrRow): boolean =>
  ringsDevices(row) || row.route_id === INTERNAL_ROUTE_ID || row.route_id === MAILBOX_ROUTE_ID

function ownNames(row: CdrRow): NameOf {
  const names = new Map(row.attempts.map(({ trunk, name }) => [trunk, name]))
  if (row.trunk_id !== null && row.trunk_name !== null) names.set(row.trunk_id, row.trunk_name)
  return (id) => names.get(id) ?? `Trunk ${id}`
}

/** Customers see carriers only by number, in order of the attempts. */
function numberedNames(row: CdrRow): NameOf {
  const tried = [...new Set([...row.attempts.map(({ trunk }) => trunk), row.trunk_id])]
  return (id) => `Carrier ${tried.indexOf(id) + 1}`
}

const PHRASES: Readonly<Record<number, string>> = {
  200: 'OK',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  410: 'Gone',
  480: 'Temporarily Unavailable',
  484: 'Address Incomplete',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  500: 'Server Internal Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Server Time-out',
  600: 'Busy Everywhere',
  603: 'Decline',
}

/** A carrier's reason text may reveal its identity, so customers see the standard text. */
const phraseOf = (code: number, own: string, seesCarriers: boolean): string =>
  (seesCarriers && own) || (PHRASES[code] ?? 'Unknown reason')

const hasRate = (row: CdrRow): boolean => row.price_micros !== null

const rateOf = (row: CdrRow): CdrDetails['rate'] =>
  hasRate(row)
    ? {
        price_per_minute: dollars(row.price_micros ?? 0n),
        connect_fee: dollars(row.connect_fee_micros ?? 0n),
        first_increment: row.first_increment ?? 1,
        next_increment: row.next_increment ?? 1,
        prefix: row.rate_prefix,
      }
    : null

const money = (amount: bigint): string => formatExact(micros(amount))
const count = (seconds: number): string => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`

function priceSteps(row: CdrRow): string[] {
  if (row.status === 'refused')
    return [
      row.direction === 'in'
        ? 'The call was refused before a phone rang, so it cost nothing.'
        : 'The call was refused before it reached a carrier, so it cost nothing.',
    ]
  const steps = [rateStep(row), prefixStep(row)]
  if (row.status !== 'completed')
    return [...steps, 'The call was not answered, so it cost nothing.'].filter(isPresent)
  return [...steps, ...arithmetic(row)].filter(isPresent)
}

const isPresent = (step: string): boolean => step !== ''

function rateStep(row: CdrRow): string {
  if (!hasRate(row)) return ''
  const [first, next] = [row.first_increment ?? 1, row.next_increment ?? 1]
  const blocks =
    first === 1 && next === 1
      ? 'billed by the second'
      : first === next
        ? `billed in blocks of ${count(first)}`
        : `billed for at least ${count(first)}, then in blocks of ${count(next)}`
  const to = row.country === null ? '' : ` to ${countryName(row.country)}`
  const price = row.price_micros === 0n ? 'free of charge' : `${money(row.price_micros ?? 0n)} a minute`
  const fee = row.connect_fee_micros ? `, ${money(row.connect_fee_micros)} for the connection` : ''
  if (row.direction === 'in') return `Incoming calls to +${row.destination}: ${price}, ${blocks}.`
  if (row.route_id === INTERNAL_ROUTE_ID) return `Calls between customers: ${price}, ${blocks}.`
  if (row.route_id === FLOW_LEG_ROUTE_ID) return 'Calls of a flow to your own phones: free of charge.'
  if (row.route_id === MAILBOX_ROUTE_ID) return 'Calls to your own mailbox: free of charge.'
  return `Route ${row.route_name}${to}: ${price}${fee}, ${blocks}.`
}

const prefixStep = (row: CdrRow): string =>
  row.rate_prefix === null ? '' : `This rate applies to numbers that start with ${row.rate_prefix}.`

function arithmetic(row: CdrRow): string[] {
  const [price, fee] = [row.price_micros ?? 0n, row.connect_fee_micros ?? 0n]
  const talk = shareRoundedUp(micros(price), BigInt(row.billed_seconds), 60n)
  const due = talk + fee
  return [
    `${count(row.seconds)} of talk, billed as ${count(row.billed_seconds)}.`,
    `${money(price)} × ${row.billed_seconds} ÷ 60 = ${money(talk)}${fee > 0n ? `, and ${money(fee)} for the connection` : ''}.`,
    ...(due === row.cost_micros ? [] : ['The charge is limited to the amount held for the call.']),
    `Cost: ${money(row.cost_micros)}.`,
  ]
}

function pathOf(row: CdrRow, carrier: NameOf, seesCarriers: boolean): CdrDetails['path'] {
  const at = (moment: Date | null) => moment?.toISOString() ?? null
  const refused = row.attempts
    .filter(({ code }) => code < 200 || code > 299)
    .map(({ trunk, code, reason, until }) => ({
      at: until === undefined ? null : new Date(until).toISOString(),
      what: `${carrier(trunk)} answered ${code} ${phraseOf(code, reason, seesCarriers)}.`,
      is_failure: true,
    }))
  const step = (moment: Date | null, what: string) => ({ at: at(moment), what, is_failure: false })
  const carried = row.trunk_id === null ? '' : ` over ${carrier(row.trunk_id)}`
  return [
    ...(row.parent_call_id === null
      ? [
          step(
            row.started_at,
            `${accountLabel(row.sip_account)} dialed ${row.dialed} from ${row.source_address}.`,
          ),
        ]
      : []),
    ...(row.explanation === '' ? [] : [step(row.started_at, row.explanation)]),
    ...refused,
    ...(row.ringing_at ? [step(row.ringing_at, 'The phone rang.')] : []),
    ...(row.answered_at ? [step(row.answered_at, `Answered${carried}.`)] : []),
    step(row.ended_at, reasonText(row.reason, row.direction)),
  ]
}

/** The path of a call to a rented number. Customers do not see the carrier that sent it. */
function incomingPath(row: CdrRow, seesCarriers: boolean): CdrDetails['path'] {
  const step = (at: Date | null, what: string, is_failure = false) => ({
    at: at?.toISOString() ?? null,
    what,
    is_failure,
  })
  const caller = row.caller_id === '' ? 'A withheld number' : `+${row.caller_id}`
  const number = row.destination === '' ? row.dialed : `+${row.destination}`
  const sender = seesCarriers && row.trunk_name !== null ? ` over ${row.trunk_name}` : ''
  const answered = row.attempts.find(({ code }) => code >= 200 && code <= 299)
  const rang = row.attempts
    .filter((attempt) => attempt !== answered)
    .map(({ name, code, at, until }) =>
      step(
        until === undefined ? null : new Date(until),
        `${name}${rangFor(at, until)}: ${outcomeOf(code)}.`,
        true,
      ),
    )
  return [
    step(row.started_at, `${caller} called ${number}${sender}.`),
    ...(row.explanation === '' ? [] : [step(row.started_at, row.explanation)]),
    ...(row.ringing_at ? [step(row.ringing_at, 'The phone rang.')] : []),
    ...rang,
    ...(row.answered_at ? [step(row.answered_at, `Answered${answered ? `: ${answered.name}` : ''}.`)] : []),
    step(row.ended_at, reasonText(row.reason, 'in')),
  ]
}

const rangFor = (at: number | undefined, until: number | undefined): string =>
  at === undefined || until === undefined ? '' : ` for ${count(Math.round(Math.max(0, until - at) / 1000))}`

function outcomeOf(code: number): string {
  switch (code) {
    case 408:
    case 487:
      return 'no answer'
    case 404:
    case 480:
      return 'not reachable'
    case 486:
    case 600:
      return 'busy'
    case 603:
      return 'declined'
    default:
      return `failed (${code})`
  }
}
