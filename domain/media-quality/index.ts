/** What one side of a call sent and heard. The figures about what it heard come from its own RTCP reports and are null without any. */
export type SideQuality = {
  /** Such as `PCMA/8000`. */
  codec: string | null
  /** RTP packets that the switch received from this side. */
  packetsSent: number
  /** Number of reports that the averages are based on. */
  reports: number
  /** Mean opinion score from 1 to 5, with one decimal. */
  mos: number | null
  lowestMos: number | null
  lossPercent: number | null
  lostPackets: number | null
  jitterMs: number | null
  highestJitterMs: number | null
  roundTripMs: number | null
}

export type MediaQuality = { phone: SideQuality; carrier: SideQuality | null }

export const verdicts = ['good', 'fair', 'poor'] as const
export type Verdict = (typeof verdicts)[number]

/** The lowest MOS of each verdict. Below 3.6 many users are dissatisfied (ITU-T G.107). */
export const GOOD_MOS = 4
export const FAIR_MOS = 3.6

export function verdictOn(mos: number): Verdict {
  if (mos >= GOOD_MOS) return 'good'
  return mos >= FAIR_MOS ? 'fair' : 'poor'
}

type Fields = Record<string, unknown>
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : [])
const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
const text = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 60) : null)

/**
 * Reads rtpengine's reply to `query`. It keeps the reports of a side under the SSRC of that side: MOS in tenths, jitter in milliseconds,
 * round trip in microseconds and loss in percent. Null if the reply has no speech of the caller.
 */
export function readMediaQuality(reply: unknown, callerTag: string): MediaQuality | null {
  const { tags, SSRC: reports } = fields(reply)
  const sides = Object.entries(fields(tags)).map(([tag, side]) => ({
    tag,
    ...sideOf(fields(side), fields(reports)),
  }))
  const phone = sides.find(({ tag }) => tag === callerTag)
  // A carrier that failed after early media has a tag too. The last one that sent speech took the call.
  const [carrier] = sides
    .filter(({ tag }) => tag !== callerTag)
    .sort((one, other) => other.lastPacket - one.lastPacket)
  if (!phone || (phone.quality.packetsSent === 0 && !carrier?.quality.packetsSent)) return null
  return { phone: phone.quality, carrier: carrier?.quality ?? null }
}

function sideOf(side: Fields, reports: Fields): { lastPacket: number; quality: SideQuality } {
  const [media = {}] = list(side.medias)
  const stream = list(media.streams).find(({ flags }) => Array.isArray(flags) && flags.includes('RTP')) ?? {}
  return {
    lastPacket: number(stream['last packet']) ?? 0,
    quality: {
      codec: text(media.codec),
      packetsSent: number(fields(stream.stats).packets) ?? 0,
      ...heard(fields(reports[String(stream.SSRC)])),
    },
  }
}

type Heard = Omit<SideQuality, 'codec' | 'packetsSent'>

function heard(report: Fields): Heard {
  const average = fields(report['average MOS'])
  const lowest = fields(report['lowest MOS'])
  const course = list(fields(report['MOS progression']).entries)
  const isMeasured = course.length > 0 || number(average.samples)
  const highest = (name: string) =>
    Math.max(...[average, lowest, ...course].map((one) => number(one[name]) ?? 0))
  const mean = (name: string) =>
    number(average[name]) ?? course.reduce((sum, one) => sum + (number(one[name]) ?? 0), 0) / course.length
  return {
    reports: number(average.samples) || course.length,
    mos: mosOf(average.MOS),
    lowestMos: mosOf(lowest.MOS),
    lossPercent: isMeasured ? round(mean('packet loss')) : null,
    lostPackets: isMeasured ? number(report['cumulative loss']) : null,
    jitterMs: isMeasured ? round(mean('jitter')) : null,
    highestJitterMs: isMeasured ? highest('jitter') : null,
    roundTripMs: positive(number(average['round-trip time'])),
  }
}

/** rtpengine sends 0 while it cannot compute a score. */
const mosOf = (tenths: unknown): number | null => (number(tenths) ? Number(tenths) / 10 : null)
const positive = (microseconds: number | null): number | null =>
  microseconds ? round(microseconds / 1000) : null
const round = (value: number): number => Math.round(value * 10) / 10
