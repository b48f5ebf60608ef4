import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { dollars } from '@trunkline/domain/money'
import { root } from '../launcher/paths.ts'
import { defaultLimits } from '../launcher/switch-settings.ts'
import { startProvider } from '../sip/test/e2e/provider.ts'
import { nextPort } from '../sip/test/harness.ts'
import { runSipp } from '../sip/test/sipp.ts'
import { FIRST_RATE, highest, type Offered, SECONDS, startEndlessCarrier } from './highest-rate.ts'

/** Completed calls per second while up to three times the capacity is offered. Draws docs/overload.svg. See README.md. */

const RATIOS = [0.5, 0.75, 1, 1.5, 2, 2.5, 3]
/** Of the capacity, when twice the capacity is offered. */
const AIM = 0.9
const RECOVERY_MS = 2_000
const EXCHANGE = '127.0.0.2'
const isMute = process.env.BENCH_SPEECH !== 'yes'

type Point = { offered: number; completed: number }

const provider = await startProvider({}, { limits: { ...defaultLimits, knownPerSecond: 1_000_000 } })
try {
  const { id } = await provider.newCustomer({ balance: dollars(1_000_000) })
  const guard = { max_concurrent_calls: 100_000, max_calls_per_second: 10_000 }
  await provider.guard(id, { ...guard, daily_spend_micros: dollars(1_000_000) })
  await provider.setAddress({ id }, EXCHANGE, 'approved')
  const carrier = await startEndlessCarrier({ isMute })
  await provider.newTrunk({ host: '127.0.0.1', port: carrier.port }, { capacity: 100_000 })
  await provider.settle()
  const offered: Offered = {
    scenario: 'caller-by-address',
    remotePort: provider.sipPort,
    isMute,
    host: EXCHANGE,
    remoteHost: '127.0.0.1',
  }
  const capacity = await highest('capacity', offered, FIRST_RATE)
  const points: Point[] = []
  for (const ratio of RATIOS) points.push(await completedOf(offered, Math.round(capacity * ratio)))
  await pause(RECOVERY_MS)
  const after = await completedOf(offered, Math.round(capacity / 2))
  print(capacity, points, after)
  await writeFile(join(root, 'docs/overload.svg'), drawing(capacity, points))
  const faults = await provider.faults()
  console.log(faults.length === 0 ? '  the ledger balances' : faults.join('\n'))
  carrier.stop()
  await carrier.ended
} finally {
  await provider.close()
}

async function completedOf(offered: Offered, perSecond: number): Promise<Point> {
  const calls = perSecond * SECONDS
  const began = performance.now()
  const run = await runSipp({
    ...offered,
    calls,
    perSecond,
    port: nextPort(),
    timeoutSeconds: SECONDS * 4,
    recvTimeoutMs: 10_000,
  })
  const { successful } = await run.ended
  // SIPp needs a moment to start and to end the last call.
  const took = (performance.now() - began) / 1_000
  const seconds = took < SECONDS + 1 ? SECONDS : took
  return { offered: calls / SECONDS, completed: successful / seconds }
}

function print(capacity: number, points: readonly Point[], after: Point): void {
  console.log('    offered/s  completed/s  of the capacity')
  for (const { offered, completed } of points) {
    const ratio = completed / capacity
    const aim = offered >= capacity * 1.9 && offered <= capacity * 2.1 ? `  aim ${AIM}` : ''
    console.log(
      `  ${offered.toFixed(0).padStart(10)} ${completed.toFixed(0).padStart(12)} ${ratio.toFixed(2).padStart(16)}${aim}`,
    )
  }
  console.log(
    `  ${RECOVERY_MS / 1_000} s later, at half the capacity: ${((after.completed / after.offered) * 100).toFixed(1)} % completed`,
  )
}

/** Both axes in multiples of the capacity. */
function drawing(capacity: number, points: readonly Point[]): string {
  const [width, height, margin] = [480, 220, 40]
  const x = (value: number) => margin + (value / 3) * (width - 2 * margin)
  const y = (value: number) => height - margin - (value / 1.2) * (height - 2 * margin)
  const line = (of: (point: Point) => number) =>
    points
      .map((point) => `${x(point.offered / capacity).toFixed(1)},${y(of(point) / capacity).toFixed(1)}`)
      .join(' ')
  const label = (at: number, top: number, text: string, anchor = 'middle') =>
    `<text x="${at}" y="${top}" text-anchor="${anchor}">${text}</text>`
  const ticks = [0, 1, 2, 3].map((value) => label(x(value), height - margin + 16, `${value}`)).join('')
  const levels = [0, 0.5, 1]
    .map(
      (value) =>
        `<path d="M${margin} ${y(value)}H${width - margin}" stroke="#8884"/>${label(margin - 6, y(value) + 4, `${value}`, 'end')}`,
    )
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11" fill="#888">
<title>Completed calls per second by offered calls per second, both as multiples of the capacity</title>
${levels}${ticks}
<polyline points="${line(({ completed }) => completed)}" fill="none" stroke="#4f8cff" stroke-width="2"/>
${label(width / 2, height - 4, 'offered calls per second, 1 = capacity')}${label(margin, 14, 'completed', 'start')}
</svg>
`
}
