/** Fetched with the library that draws, by whoever opens the Dashboard. */
export { DayBars } from './DayBars.tsx'
export { HourBars } from './HourBars.tsx'
