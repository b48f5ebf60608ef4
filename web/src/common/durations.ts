/** `2:05` or `1:02:05` */
export function asClock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (figure: number) => String(figure).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** How long ago that was. */
export const waitedSince = (moment: string): string =>
  asSpan((Date.now() - new Date(moment).getTime()) / 1_000)

/** `under 1 min`, `12 min`, `3 h 5 min` or `2 d 4 h` */
export function asSpan(seconds: number): string {
  const minutes = Math.floor(Math.max(0, seconds) / 60)
  if (minutes < 1) return 'under 1 min'
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  if (hours === 0) return `${minutes} min`
  return minutes % 60 > 0 ? `${hours} h ${minutes % 60} min` : `${hours} h`
}
