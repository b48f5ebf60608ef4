/** Fetched with the library that draws, by whoever opens Home. */
export { MonthlyBars } from './MonthlyBars.tsx'
export { UsageDoughnut } from './UsageDoughnut.tsx'
export { VolumeLine } from './VolumeLine.tsx'
