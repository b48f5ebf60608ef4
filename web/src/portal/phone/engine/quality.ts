import { formatMilliseconds } from '../../../common/format/durations.ts'
import { formatPercent } from '../../../common/format/numbers.ts'

/** WebRTC statistics, accumulated since the start of the call. */
export type Figures = {
  packetsSent: number
  packetsReceived: number
  packetsLost: number
  /** Seconds. */
  jitter: number
  roundTrip: number | null
}

export type Quality = { word: 'Good' | 'Fair' | 'Poor'; what: string }

type Report = { type: string } & Record<string, unknown>

const number = (value: unknown): number => (typeof value === 'number' ? value : 0)

export function readFigures(reports: Iterable<Report>): Figures {
  const all = [...reports].filter(({ kind }) => kind === undefined || kind === 'audio')
  const of = (type: string) => all.find((report) => report.type === type)
  const heard = of('inbound-rtp')
  const pair = all.find(
    ({ type, nominated, state }) => type === 'candidate-pair' && nominated && state === 'succeeded',
  )
  const roundTrip = of('remote-inbound-rtp')?.roundTripTime ?? pair?.currentRoundTripTime
  return {
    packetsSent: number(of('outbound-rtp')?.packetsSent),
    packetsReceived: number(heard?.packetsReceived),
    packetsLost: Math.max(0, number(heard?.packetsLost)),
    jitter: number(heard?.jitter),
    roundTrip: typeof roundTrip === 'number' ? roundTrip : null,
  }
}

/** Rates the interval since `before`. Null with too few packets. */
export function judge(before: Figures, now: Figures): Quality | null {
  const received = now.packetsReceived - before.packetsReceived
  const lost = Math.max(0, now.packetsLost - before.packetsLost)
  if (now.packetsSent - before.packetsSent > 20 && received + lost === 0)
    return { word: 'Poor', what: 'No audio from the other phone.' }
  if (received + lost < 20) return null
  const loss = lost / (received + lost)
  const jitterMs = now.jitter * 1_000
  const roundTripMs = now.roundTrip === null ? null : now.roundTrip * 1_000
  const isPoor = loss > 0.05 || jitterMs > 60 || (roundTripMs ?? 0) > 600
  const isFair = loss > 0.01 || jitterMs > 30 || (roundTripMs ?? 0) > 300
  const figures = [
    `${formatPercent(loss * 100)} packet loss`,
    `jitter ${formatMilliseconds(Math.round(jitterMs))}`,
    ...(roundTripMs === null ? [] : [`round trip ${formatMilliseconds(Math.round(roundTripMs))}`]),
  ]
  return { word: isPoor ? 'Poor' : isFair ? 'Fair' : 'Good', what: figures.join(', ') }
}
