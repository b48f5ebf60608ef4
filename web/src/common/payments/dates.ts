/** `Nov 15, 2026` and `2:37 AM`, by the reader's clock. */
export const onDay = (moment: string): string =>
  new Date(moment).toLocaleDateString('en-US', { dateStyle: 'medium' })

export const atTime = (moment: string): string =>
  new Date(moment).toLocaleTimeString('en-US', { timeStyle: 'short' })

/** For paper, which does not know whose clock it was. */
export const exactly = (moment: string): string =>
  new Date(moment).toLocaleString('en-US', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
