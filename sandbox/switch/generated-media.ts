import { type Chance, logNormal, seededChance } from './random.ts'

/** What happens to packets on the way to one side of a call. */
export type Network = { lossPercent: number; jitterMs: number; roundTripMs: number }

/** Of the way to the customer's phone. */
const ACCESS: Network = { lossPercent: 0.1, jitterMs: 4, roundTripMs: 25 }
/** Standard deviations of the logarithm. One call in fifteen loses ten times as many packets as the median. */
const SPREAD = { lossPercent: 1.5, jitterMs: 0.5, roundTripMs: 0.2 }
const MAX_LOSS_PERCENT = 30
/** A carrier that takes the calls of another one has a longer way. */
const SECOND_CHOICE = 2.5
const PACKETS_PER_SECOND = 50
/** Phones report every five seconds. A shorter call has no report. */
const REPORT_SECONDS = 5

type Talk = { seconds: number; isSecondChoice: boolean }

/** The reply of rtpengine about a generated call. The seed is separate, so that the course of the calls does not depend on it. */
export function generateMedia(seed: number, carrier: Network, { seconds, isSecondChoice }: Talk) {
  const chance = seededChance(seed)
  const factor = isSecondChoice ? SECOND_CHOICE : 1
  return mediaReply({ phone: vary(chance, ACCESS, 1), carrier: vary(chance, carrier, factor) }, seconds)
}

const vary = (chance: Chance, network: Network, factor: number): Network => ({
  lossPercent: Math.min(
    MAX_LOSS_PERCENT,
    logNormal(chance, network.lossPercent * factor, SPREAD.lossPercent),
  ),
  jitterMs: logNormal(chance, network.jitterMs * factor, SPREAD.jitterMs),
  roundTripMs: logNormal(chance, network.roundTripMs, SPREAD.roundTripMs),
})

/** The reply of rtpengine to `query` about a call with these networks, as the event `ended` contains it. */
export function mediaReply(sides: { phone: Network; carrier: Network }, seconds: number) {
  const names = Object.keys(sides) as (keyof typeof sides)[]
  const each = <Value>(read: (name: keyof typeof sides, ssrc: number) => [string, Value]) =>
    Object.fromEntries(names.map((name, index) => read(name, index + 1)))
  return {
    caller: 'phone',
    reply: {
      tags: each((name, ssrc) => [name, sideOf(ssrc, seconds)]),
      SSRC: each((name, ssrc) => [String(ssrc), reportsOf(sides[name], seconds)]),
    },
  }
}

const sideOf = (ssrc: number, seconds: number) => ({
  medias: [
    {
      codec: 'PCMA/8000',
      streams: [
        {
          flags: ['RTP'],
          SSRC: ssrc,
          'last packet': seconds,
          stats: { packets: seconds * PACKETS_PER_SECOND },
        },
      ],
    },
  ],
})

function reportsOf(network: Network, seconds: number) {
  const { lossPercent, jitterMs, roundTripMs } = network
  const samples = Math.floor(seconds / REPORT_SECONDS)
  if (samples === 0) return {}
  const report = (worse: number) => ({
    MOS: Math.round(mosOf({ ...network, lossPercent: lossPercent * worse }) * 10),
    'packet loss': Math.round(lossPercent * worse * 10) / 10,
    jitter: Math.round(jitterMs * worse),
    'round-trip time': Math.round(roundTripMs * 1000),
    samples,
  })
  return {
    'average MOS': report(1),
    'lowest MOS': report(1.5),
    'cumulative loss': Math.round((seconds * PACKETS_PER_SECOND * lossPercent) / 100),
  }
}

/** The E-model of ITU-T G.107 for G.711: delay and loss reduce a rating of 93, which gives the score. */
function mosOf({ lossPercent, jitterMs, roundTripMs }: Network): number {
  const delayMs = roundTripMs / 2 + 2 * jitterMs
  const ofDelay = 0.024 * delayMs + 0.11 * Math.max(0, delayMs - 177)
  const ofLoss = 30 * Math.log(1 + (15 * lossPercent) / 100)
  const rating = Math.max(0, 93 - ofDelay - ofLoss)
  return 1 + 0.035 * rating + 7e-6 * rating * (rating - 60) * (100 - rating)
}
