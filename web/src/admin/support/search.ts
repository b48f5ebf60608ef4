import { type AgeBand, ageBands } from '@trunkline/contract/ages'
import { SEARCH_MAX, USERNAME_MAX } from '@trunkline/contract/limits'
import type { TicketPriority } from '@trunkline/contract/tickets'
import { idIn, oneOf, textIn, withoutGaps } from '../../common/address.ts'

/** Search parameters of the screen. */
export type DeskSearch = Partial<{
  view: 'requests' | 'caller-ids'
  /** Contact requests only. */
  handled: 'yes'
  /** Caller IDs only; pending ones when absent. */
  state: 'approved' | 'rejected'
  /** Open tickets when absent. */
  show: 'waiting' | 'closed' | 'all'
  /** Tickets that have waited this long for a reply. */
  age: AgeBand
  /** All tickets when absent. */
  assigned: 'me' | 'nobody'
  priority: TicketPriority
  user: string
  text: string
  ticket: number
}>

/** Ignores values that are not valid. */
export const readSearch = (raw: Record<string, unknown>): DeskSearch =>
  withoutGaps({
    view: oneOf(['requests', 'caller-ids'], raw.view),
    handled: oneOf(['yes'], raw.handled),
    state: oneOf(['approved', 'rejected'], raw.state),
    show: oneOf(['waiting', 'closed', 'all'], raw.show),
    age: oneOf(ageBands, raw.age),
    assigned: oneOf(['me', 'nobody'], raw.assigned),
    priority: oneOf(['high', 'medium', 'low'], raw.priority),
    user: textIn(raw.user)?.trim().slice(0, USERNAME_MAX) || undefined,
    text: textIn(raw.text)?.trim().slice(0, SEARCH_MAX) || undefined,
    ticket: idIn(raw.ticket),
  })

/** The filters of the ticket list. */
export type Selection = Pick<DeskSearch, 'show' | 'age' | 'assigned' | 'priority' | 'user' | 'text'>

export const selectionOf = ({ show, age, assigned, priority, user, text }: DeskSearch): Selection =>
  withoutGaps({ show, age: show === 'waiting' ? age : undefined, assigned, priority, user, text })

export const isNarrowed = (selection: Selection): boolean => Object.keys(selection).length > 0

export const askFor = ({ show, age, assigned, priority, user, text }: Selection) =>
  withoutGaps({
    status: show === 'all' ? undefined : show === 'closed' ? ('closed' as const) : ('open' as const),
    waiting: show === 'waiting' ? ('yes' as const) : undefined,
    age: show === 'waiting' ? age : undefined,
    assigned,
    priority,
    username: user,
    text,
  })
