import { useMutation, useQuery } from '@tanstack/react-query'
import type { ListedDeck } from '@trunkline/contract/rate-decks'
import { CalendarClock } from 'lucide-react'
import { api, explain } from '../../app/api.ts'
import { formatCount } from '../../common/format/numbers.ts'
import { Moment } from '../../common/Moment.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { decksQuery, refreshCatalogue } from './queries.ts'
import type { ListName } from './search.ts'

/** Planned and past imports of a price list. Nothing if there are none. */
export function DeckTimeline({ list, name }: { list: ListName; name: string }) {
  const decks = useQuery(decksQuery(list))
  if (!decks.data || decks.data.length === 0) return null
  const planned = decks.data.filter(({ state }) => state === 'planned')
  const past = decks.data.filter(({ state }) => state !== 'planned')
  return (
    <section aria-label={`Imports of ${name}`} className="border-b px-3 py-2 sm:px-4">
      {planned.length > 0 && (
        <ol aria-label="Planned imports" className="divide-y">
          {planned.map((deck) => (
            <PlannedDeck key={deck.id} deck={deck} />
          ))}
        </ol>
      )}
      {past.length > 0 && (
        <details className="group">
          <summary className="rounded-sm py-1 text-muted text-sm">
            {formatCount(past.length, 'earlier import')}
          </summary>
          <ol aria-label="Earlier imports" className="mt-1 divide-y border-t">
            {past.map((deck) => (
              <li key={deck.id} className="flex flex-wrap items-baseline gap-x-3 py-1.5 text-sm">
                <Moment at={deck.applied_at ?? deck.canceled_at ?? deck.effective_at} />
                {deck.state === 'canceled' && <Badge>Canceled</Badge>}
                <DeckFacts deck={deck} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  )
}

function PlannedDeck({ deck }: { deck: ListedDeck }) {
  const cancel = useMutation({
    mutationFn: () => api('DELETE /api/admin/rate-decks/:id', { params: { id: deck.id } }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(explain(error, 'The planned rates could not be canceled.')),
    onSettled: refreshCatalogue,
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-sm">
      <CalendarClock aria-hidden className="size-4 shrink-0 text-pending-ink" />
      <span className="font-medium">
        From <Moment at={deck.effective_at} />
      </span>
      <DeckFacts deck={deck} />
      <Button
        size="sm"
        className="ml-auto"
        busy={cancel.isPending}
        aria-label={`Cancel the ${formatCount(deck.line_count, 'planned rate')}`}
        onClick={() => cancel.mutate()}
      >
        Cancel
      </Button>
    </li>
  )
}

/** "1,204 rates replace the list: 12 new, 3 higher. By admin". */
function DeckFacts({ deck }: { deck: ListedDeck }) {
  const { counts } = deck
  const parts = [
    [counts.new, 'new'],
    [counts.dearer, 'higher'],
    [counts.cheaper, 'lower'],
    [counts.changed, 'with changed terms'],
    [counts.removed, 'removed'],
  ] as const
  const changes = parts.flatMap(([number, word]) => (number > 0 ? formatCount(number, word, word) : []))
  return (
    <span className="figures text-muted">
      {formatCount(deck.line_count, 'rate')}{' '}
      {deck.mode === 'replace' ? 'replace the list' : 'added or changed'}:{' '}
      {changes.length > 0 ? changes.join(', ') : 'no changes'}. By {deck.created_by.username}
    </span>
  )
}
