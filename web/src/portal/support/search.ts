/** `ticket` comes from the URL, so it can be anything. */
export type SupportSearch = { ticket?: unknown }

/** A ticket id, the form for a new ticket, or nothing. */
export type Opened = number | 'new' | null

export function openedIn({ ticket }: SupportSearch): Opened {
  if (ticket === 'new') return 'new'
  const id = typeof ticket === 'string' || typeof ticket === 'number' ? Number(ticket) : Number.NaN
  return Number.isSafeInteger(id) && id > 0 ? id : null
}
