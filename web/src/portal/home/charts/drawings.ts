/** Loaded on demand, together with the chart library. */
export { Bars } from './Bars.tsx'
export { UsageDoughnut } from './UsageDoughnut.tsx'
export { VolumeLine } from './VolumeLine.tsx'
