/** What the address says is open beside the list; anything may stand there. */
export type SupportSearch = { ticket?: unknown }

/** A ticket, the form for a new one, or nothing. */
export type Opened = number | 'new' | null

export function openedIn({ ticket }: SupportSearch): Opened {
  if (ticket === 'new') return 'new'
  const id = typeof ticket === 'string' || typeof ticket === 'number' ? Number(ticket) : Number.NaN
  return Number.isSafeInteger(id) && id > 0 ? id : null
}
