/** Loaded on demand, together with the chart library. */
export { MonthlyBars } from './MonthlyBars.tsx'
export { UsageDoughnut } from './UsageDoughnut.tsx'
export { VolumeLine } from './VolumeLine.tsx'
