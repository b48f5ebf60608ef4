/** The calls of one phone: at most two, of which at most one is not on hold. */

/** `ringing` is an incoming call that nobody has answered yet. */
export type Place = 'ringing' | 'current' | 'held'
export type CallList = readonly { readonly id: string; readonly place: Place }[]

export type CallEvent =
  /** An incoming call arrives. */
  | { type: 'rings'; id: string }
  | { type: 'dials'; id: string }
  | { type: 'answers'; id: string }
  | { type: 'holds'; id: string }
  | { type: 'resumes'; id: string }
  | { type: 'ends'; id: string }

export type CallAction = { type: 'refuse' | 'hold' | 'resume'; id: string }

const MAX_CALLS = 2

/** Decides what happens to the other calls. `refuse` means that there is no room for this one. */
export function decide(list: CallList, event: CallEvent): { list: CallList; actions: CallAction[] } {
  const { id } = event
  const unchanged = { list, actions: [] }
  const known = list.find((call) => call.id === id)
  switch (event.type) {
    case 'rings':
      return known || list.length >= MAX_CALLS
        ? { list, actions: [{ type: 'refuse', id }] }
        : { list: [...list, { id, place: 'ringing' }], actions: [] }
    case 'dials':
      return list.length > 0
        ? { list, actions: [{ type: 'refuse', id }] }
        : { list: [{ id, place: 'current' }], actions: [] }
    case 'answers':
      return known?.place === 'ringing' ? { list: placed(list, id), actions: holdsOf(list, id) } : unchanged
    case 'holds':
      return known?.place === 'current'
        ? { list: put(list, id, 'held'), actions: [{ type: 'hold', id }] }
        : unchanged
    case 'resumes':
      return known?.place === 'held'
        ? { list: placed(list, id), actions: [...holdsOf(list, id), { type: 'resume', id }] }
        : unchanged
    case 'ends':
      return { list: list.filter((call) => call.id !== id), actions: [] }
  }
}

const put = (list: CallList, id: string, place: Place): CallList =>
  list.map((call) => (call.id === id ? { id, place } : call))

/** This call becomes the current one. */
const placed = (list: CallList, id: string): CallList =>
  put(
    list.map((call) => (call.place === 'current' ? { id: call.id, place: 'held' } : call)),
    id,
    'current',
  )

const holdsOf = (list: CallList, id: string): CallAction[] =>
  list
    .filter((call) => call.place === 'current' && call.id !== id)
    .map((call) => ({ type: 'hold', id: call.id }))

/** The call that the phone shows: the current one, or else the one on hold. */
export const shownOf = (list: CallList): string | null =>
  (list.find(({ place }) => place === 'current') ?? list.find(({ place }) => place === 'held'))?.id ?? null
