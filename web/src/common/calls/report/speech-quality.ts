import type { SideQuality } from '@trunkline/contract/cdr'
import { type Verdict, verdictOn } from '@trunkline/domain/media-quality'
import { formatMilliseconds } from '../../format/durations.ts'
import { formatDecimal, formatNumber, formatShortPercent } from '../../format/numbers.ts'

type QualityRow = { name: string; show: (side: SideQuality) => string | null }

const milliseconds = (value: number | null): string | null =>
  value === null ? null : formatMilliseconds(value)

/** The choices of the filter. */
export const qualities: Readonly<Record<Verdict, string>> = { good: 'Good', fair: 'Fair', poor: 'Poor' }

/** `4.2 (good)` */
export const formatMos = (mos: number): string => `${formatDecimal(mos)} (${verdictOn(mos)})`

/** Figures of a side. Null means not measured. */
export const qualityRows: readonly QualityRow[] = [
  {
    name: 'MOS of heard speech',
    show: ({ mos }) => (mos === null ? null : formatMos(mos)),
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
