import type { SideQuality } from '@trunkline/contract/cdr'

type QualityRow = { name: string; show: (side: SideQuality) => string | null }

const withUnit = (value: number | null, unit: string): string | null =>
  value === null ? null : `${value}${unit}`

/** 4.0 and more is good, below 3.6 many users are dissatisfied (ITU-T G.107). */
export function verdictOn(mos: number): string {
  if (mos >= 4) return 'good'
  return mos >= 3.6 ? 'fair' : 'poor'
}

/** Figures of a side. Null means not measured. */
export const qualityRows: readonly QualityRow[] = [
  {
    name: 'MOS of heard speech',
    show: ({ mos }) => (mos === null ? null : `${mos.toFixed(1)} (${verdictOn(mos)})`),
  },
  { name: 'Lowest MOS', show: ({ lowest_mos: mos }) => mos?.toFixed(1) ?? null },
  {
    name: 'Packet loss',
    show: ({ loss_percent: percent, lost_packets: lost }) =>
      percent === null ? null : `${percent}%${lost === null ? '' : ` (${lost})`}`,
  },
  { name: 'Jitter, average', show: ({ jitter_ms: ms }) => withUnit(ms, ' ms') },
  { name: 'Jitter, highest', show: ({ highest_jitter_ms: ms }) => withUnit(ms, ' ms') },
  { name: 'Round trip', show: ({ round_trip_ms: ms }) => withUnit(ms, ' ms') },
  { name: 'Packets sent', show: ({ packets_sent: packets }) => packets.toLocaleString('en-US') },
  { name: 'Codec', show: ({ codec }) => codec?.replace(/\/8000$/, '') ?? null },
]
