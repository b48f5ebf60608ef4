/** A chunk of its own: loads the chart library with the Dashboard. */
export { DayBars } from './DayBars.tsx'
export { HourBars } from './HourBars.tsx'
