import type { SideQuality } from '@trunkline/contract/cdr'
import { formatMilliseconds } from '../../format/durations.ts'
import { formatDecimal, formatNumber, formatShortPercent } from '../../format/numbers.ts'

type QualityRow = { name: string; show: (side: SideQuality) => string | null }

const milliseconds = (value: number | null): string | null =>
  value === null ? null : formatMilliseconds(value)

/** 4.0 and more is good, below 3.6 many users are dissatisfied (ITU-T G.107). */
export function verdictOn(mos: number): string {
  if (mos >= 4) return 'good'
  return mos >= 3.6 ? 'fair' : 'poor'
}

/** Figures of a side. Null means not measured. */
export const qualityRows: readonly QualityRow[] = [
  {
    name: 'MOS of heard speech',
    show: ({ mos }) => (mos === null ? null : `${formatDecimal(mos)} (${verdictOn(mos)})`),
  },
  { name: 'Lowest MOS', show: ({ lowest_mos: mos }) => (mos === null ? null : formatDecimal(mos)) },
  {
    name: 'Packet loss',
    show: ({ loss_percent: percent, lost_packets: lost }) =>
      percent === null
        ? null
        : `${formatShortPercent(percent)}${lost === null ? '' : ` (${formatNumber(lost)})`}`,
  },
  { name: 'Jitter, average', show: ({ jitter_ms: ms }) => milliseconds(ms) },
  { name: 'Jitter, highest', show: ({ highest_jitter_ms: ms }) => milliseconds(ms) },
  { name: 'Round trip', show: ({ round_trip_ms: ms }) => milliseconds(ms) },
  { name: 'Packets sent', show: ({ packets_sent: packets }) => formatNumber(packets) },
  { name: 'Codec', show: ({ codec }) => codec?.replace(/\/8000$/, '') ?? null },
]
