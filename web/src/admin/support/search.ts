import { SEARCH_MAX, USERNAME_MAX } from '@trunkline/contract/limits'
import type { TicketPriority } from '@trunkline/contract/tickets'
import { idIn, oneOf, textIn, withoutGaps } from '../../common/address.ts'

/** What the address says of the desk: which tickets, and which of them is open; the contact requests; or the caller IDs. */
export type DeskSearch = Partial<{
  view: 'requests' | 'caller-ids'
  /** Of the contact requests. */
  handled: 'yes'
  /** Of the caller IDs; nothing: those that are pending. */
  state: 'approved' | 'rejected'
  /** Nothing: those that are open. */
  show: 'waiting' | 'closed' | 'all'
  priority: TicketPriority
  user: string
  text: string
  ticket: number
}>

/** Addresses are typed by hand and kept for years: what cannot be understood is left out. */
export const readSearch = (raw: Record<string, unknown>): DeskSearch =>
  withoutGaps({
    view: oneOf(['requests', 'caller-ids'], raw.view),
    handled: oneOf(['yes'], raw.handled),
    state: oneOf(['approved', 'rejected'], raw.state),
    show: oneOf(['waiting', 'closed', 'all'], raw.show),
    priority: oneOf(['high', 'medium', 'low'], raw.priority),
    user: textIn(raw.user)?.trim().slice(0, USERNAME_MAX) || undefined,
    text: textIn(raw.text)?.trim().slice(0, SEARCH_MAX) || undefined,
    ticket: idIn(raw.ticket),
  })

/** Which tickets; the same whichever of them is open. */
export type Selection = Pick<DeskSearch, 'show' | 'priority' | 'user' | 'text'>

export const selectionOf = ({ show, priority, user, text }: DeskSearch): Selection =>
  withoutGaps({ show, priority, user, text })

export const isNarrowed = (selection: Selection): boolean => Object.keys(selection).length > 0

/** What the server is asked. */
export const askFor = ({ show, priority, user, text }: Selection) =>
  withoutGaps({
    status: show === 'all' ? undefined : show === 'closed' ? ('closed' as const) : ('open' as const),
    waiting: show === 'waiting' ? ('yes' as const) : undefined,
    priority,
    username: user,
    text,
  })
