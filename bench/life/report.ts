import type { Grown, Worked } from './memory.ts'
import type { Requests } from './person.ts'
import type { Verdict } from './records.ts'

/** Number of faults to print. */
const SHOWN = 6

export function percentiles(times: readonly number[]): string {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return [0.5, 0.95, 0.99, 1].map((share) => at(share).toFixed(0).padStart(7)).join('')
}

const line = (what: string, ...rest: string[]) => console.log(`  ${what.padEnd(46)} ${rest.join(' ')}`)

/** Returns whether all checks passed. */
export function printVerdicts(verdicts: readonly Verdict[]): boolean {
  console.log('\nChecks')
  for (const { what, of, faults } of verdicts) {
    line(what, of.padEnd(44), faults.length === 0 ? 'right' : `${faults.length} WRONG`)
    for (const fault of faults.slice(0, SHOWN)) console.log(`      ${fault}`)
    if (faults.length > SHOWN) console.log(`      and ${faults.length - SHOWN} more`)
  }
  return verdicts.every(({ faults }) => faults.length === 0)
}

const KINDS: readonly [name: string, addresses: RegExp][] = [
  ['signing in', /auth\/login/],
  ['exports (whole files)', /\.csv$/],
  ['money and call commands', /^POST .*(topup|upgrade|promo|adjustments|refunds|resolve|hangup)/],
  ['changes by administrators', /^(PATCH|POST|PUT) /],
  ['dashboards and charts', /dashboard|quality/],
  ['call records', /\/cdr|calls\/records/],
  ['administrators reading', /\/admin\/|\/users|total-payments|successful-payments|user-stats/],
  ['customers reading', /./],
]

export function printRequests(requests: Requests, seconds: number): void {
  const byKind = new Map<string, number[]>()
  let count = 0
  for (const [address, { times }] of requests) {
    const kind = KINDS.find(([, addresses]) => addresses.test(address))?.[0] ?? ''
    byKind.set(kind, [...(byKind.get(kind) ?? []), ...times])
    count += times.length
  }
  console.log(`\nRequests: ${count.toLocaleString('en')}, ${Math.round(count / seconds)}/s; milliseconds`)
  line('', '  count    p50    p95    p99  worst')
  for (const [kind] of KINDS) {
    const times = byKind.get(kind) ?? []
    line(kind, times.length.toLocaleString('en').padStart(7), percentiles(times))
  }
  const slowest = [...requests]
    .map(([address, { times }]) => [address, times] as const)
    .sort(([, one], [, other]) => Math.max(...other) - Math.max(...one))
  for (const [address, times] of slowest.slice(0, SHOWN))
    line(`slowest: ${address}`, String(times.length).padStart(7), percentiles(times))
  const statuses = [...requests].flatMap(([address, { statuses: all }]) =>
    [...all]
      .filter(([status]) => status !== 200)
      .map(([status, times]) => `${address}: ${status}, ${times} times`),
  )
  console.log(`  responses other than 200: ${statuses.length === 0 ? 'none' : ''}`)
  for (const status of statuses) console.log(`    ${status}`)
}

export function printMemory(grown: readonly Grown[]): boolean {
  console.log('\nMemory in MB: first and last third after the warm-up, and maximum')
  for (const { name, earlyMb, lateMb, mostMb, isFlat } of grown)
    line(
      name,
      ...[earlyMb, lateMb, mostMb].map((size) => size.toFixed(1).padStart(8)),
      isFlat ? '  flat' : '  GROWS',
    )
  return grown.every(({ isFlat }) => isFlat)
}

export function printWork(worked: readonly Worked[]): void {
  console.log('\nCPU in percent of a core')
  for (const { name, cores } of worked.toSorted((one, other) => other.cores - one.cores))
    line(name, (100 * cores).toFixed(1).padStart(8))
}
