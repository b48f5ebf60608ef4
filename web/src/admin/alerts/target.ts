import type { Alert } from '@trunkline/contract/alerts'

export type Target =
  | { at: 'trunks' | 'routing' | 'routes' | 'reviews' | 'caller-ids' }
  | { at: 'payment'; id: number }

/** Where to act on an alert; null if the link to the user is enough. */
export function targetOf({ subject, kind }: Pick<Alert, 'subject' | 'kind'>): Target | null {
  const [what, id] = subject.split(':')
  if (kind === 'payment_review') return { at: 'reviews' }
  if (what === 'payment' && Number(id) > 0) return { at: 'payment', id: Number(id) }
  if (what === 'caller_id') return { at: 'caller-ids' }
  if (kind === 'trunk_demoted' || kind === 'trunk_returned') return { at: 'routing' }
  if (what === 'trunk') return { at: 'trunks' }
  if (what === 'route') return { at: 'routes' }
  return null
}
