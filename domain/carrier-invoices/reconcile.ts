import { type Micros, micros, shareRoundedUp } from '../money/index.ts'
import { matchGroup, type OwnCall } from './match.ts'
import type { CarrierLine } from './read-invoice.ts'
import { plainDigits } from './values.ts'

/**
 * carrier_only: billed, but we have no such call. own_only: our call that the carrier did not bill. longer, shorter: the duration of
 * the carrier compared with ours. price: the same duration at another price.
 */
export const differenceKinds = ['carrier_only', 'own_only', 'longer', 'shorter', 'price', 'equal'] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export type ReconciledCall = {
  readonly kind: DifferenceKind
  readonly line: CarrierLine | null
  readonly call: OwnCall | null
  /** Amount of the carrier minus our cost. */
  readonly differenceMicros: Micros
}

export type ReconcileOptions = {
  readonly toleranceMs: number
  /** Smaller differences count as equal. */
  readonly toleranceSeconds: number
  readonly toleranceMicros: Micros
  /** Calls of ours that start outside of it are matched, but not reported as missing. Milliseconds, `to` is exclusive. */
  readonly period: { readonly from: number; readonly to: number }
  /** The number as we send it to the carrier, if the trunk changes it. */
  readonly asSent?: (number: string) => string
}

export type KindSums = {
  calls: number
  carrierSeconds: number
  ownSeconds: number
  carrierMicros: bigint
  ownMicros: bigint
  /** Sums of the positive and of the negative differences, both without sign. */
  overMicros: bigint
  underMicros: bigint
}

export type Reconciliation = {
  readonly calls: readonly ReconciledCall[]
  readonly sums: Readonly<Record<DifferenceKind, KindSums>>
}

/** Less than 10 ms of work. */
const CALLS_PER_STEP = 2_000

/** Matches each line with at most one call of the same number, then compares them. The result does not depend on the order of `calls`. */
export function* reconcileInSteps(
  lines: readonly CarrierLine[],
  calls: readonly OwnCall[],
  options: ReconcileOptions,
): Generator<undefined, Reconciliation, undefined> {
  const steps = { done: 0 }
  const groups = new Map<string, { lines: CarrierLine[]; calls: OwnCall[] }>()
  const groupOf = (number: string) => {
    const known = groups.get(number)
    if (known) return known
    const made = { lines: [], calls: [] }
    groups.set(number, made)
    return made
  }

  const sentAs = new Map<string, string>()
  for (const call of calls) {
    const group = groupOf(call.number)
    if (group.calls.length === 0 && options.asSent) {
      const sent = plainDigits(options.asSent(call.number))
      if (sent !== null && sent !== call.number) sentAs.set(sent, call.number)
    }
    group.calls.push(call)
    if (++steps.done % CALLS_PER_STEP === 0) yield
  }
  for (const line of lines) {
    const number = groups.has(line.number) ? line.number : (sentAs.get(line.number) ?? line.number)
    groupOf(number).lines.push(line)
    if (++steps.done % CALLS_PER_STEP === 0) yield
  }

  const found: ReconciledCall[] = []
  const sums = emptySums()
  const report = (each: ReconciledCall) => {
    found.push(each)
    addTo(sums[each.kind], each)
  }
  for (const group of groups.values()) {
    const pairs = yield* matchGroup(group.lines, group.calls, options.toleranceMs)
    const matched = new Set<OwnCall>(pairs.values())
    for (const line of group.lines) report(compare(line, pairs.get(line) ?? null, options))
    for (const call of group.calls)
      if (!matched.has(call) && call.startedAt >= options.period.from && call.startedAt < options.period.to)
        report({ kind: 'own_only', line: null, call, differenceMicros: micros(-call.costMicros) })
    steps.done += group.lines.length + group.calls.length
    if (steps.done >= CALLS_PER_STEP) {
      steps.done = 0
      yield
    }
  }
  return { calls: found, sums }
}

function compare(line: CarrierLine, call: OwnCall | null, options: ReconcileOptions): ReconciledCall {
  if (!call) return { kind: 'carrier_only', line, call, differenceMicros: line.amountMicros }
  const differenceMicros = micros(line.amountMicros - call.costMicros)
  return { kind: kindOf(line, call, options), line, call, differenceMicros }
}

function kindOf(
  line: CarrierLine,
  call: OwnCall,
  { toleranceSeconds, toleranceMicros }: ReconcileOptions,
): DifferenceKind {
  if (line.seconds - call.seconds > toleranceSeconds) return 'longer'
  if (call.seconds - line.seconds > toleranceSeconds) return 'shorter'
  const off = line.amountMicros - priceAt(call, line.seconds)
  return off > toleranceMicros || -off > toleranceMicros ? 'price' : 'equal'
}

/** Our cost for the seconds of the carrier, so that a tolerated second is not reported as another price. */
const priceAt = ({ seconds, costMicros }: OwnCall, billed: number): Micros =>
  seconds === billed || seconds === 0
    ? costMicros
    : shareRoundedUp(costMicros, BigInt(billed), BigInt(seconds))

const emptySums = (): Record<DifferenceKind, KindSums> => ({
  carrier_only: noCalls(),
  own_only: noCalls(),
  longer: noCalls(),
  shorter: noCalls(),
  price: noCalls(),
  equal: noCalls(),
})

const noCalls = (): KindSums => ({
  calls: 0,
  carrierSeconds: 0,
  ownSeconds: 0,
  carrierMicros: 0n,
  ownMicros: 0n,
  overMicros: 0n,
  underMicros: 0n,
})

function addTo(sums: KindSums, { line, call, differenceMicros }: ReconciledCall): void {
  sums.calls++
  sums.carrierSeconds += line?.seconds ?? 0
  sums.ownSeconds += call?.seconds ?? 0
  sums.carrierMicros += line?.amountMicros ?? 0n
  sums.ownMicros += call?.costMicros ?? 0n
  if (differenceMicros > 0n) sums.overMicros += differenceMicros
  else sums.underMicros -= differenceMicros
}
