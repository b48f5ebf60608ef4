import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { SearchResult } from '@trunkline/contract/search'
import { SEARCH_KINDS, type SearchKind } from '@trunkline/contract/search-kinds'
import {
  CreditCard,
  Hash,
  LifeBuoy,
  type LucideIcon,
  PhoneCall,
  ReceiptText,
  Route,
  Server,
  Tags,
  User,
} from 'lucide-react'
import { api } from '../../app/api.ts'
import { closingWith } from '../../common/commands.ts'
import { formatDateTime } from '../../common/format/dates.ts'
import { formatPhoneNumbersIn } from '../../common/format/phone-numbers.ts'
import { useRested } from '../../common/use-rested.ts'
import type { CommandGroup } from '../../ui/command-fit.ts'
import { hrefOf } from './targets.ts'

const kinds: Readonly<Record<SearchKind, { heading: string; icon: LucideIcon }>> = {
  user: { heading: 'Users', icon: User },
  carrier: { heading: 'Carriers', icon: Server },
  route: { heading: 'Routes', icon: Route },
  number: { heading: 'Numbers', icon: Hash },
  payment: { heading: 'Payments', icon: CreditCard },
  promo_code: { heading: 'Promo codes', icon: Tags },
  ticket: { heading: 'Tickets', icon: LifeBuoy },
  live_call: { heading: 'Calls in progress', icon: PhoneCall },
  call: { heading: 'Call records', icon: ReceiptText },
}

const REST_MS = 200
/** A single letter is in too many names. */
const MIN_LENGTH = 2

type Found = { groups: CommandGroup[]; state: 'idle' | 'searching' | 'failed'; retry: () => void }

/** Results of the server for the typed text. Answers for earlier text are never shown. */
export function useFound(search: string, close: () => void): Found {
  const navigate = useNavigate()
  const then = closingWith(close)
  const typed = search.trim()
  const asked = useRested(typed, REST_MS)
  const isWanted = typed.length >= MIN_LENGTH
  const { data, isError, refetch } = useQuery({
    queryKey: ['admin', 'search', asked],
    queryFn: ({ signal }) => api('GET /api/admin/search', { query: { q: asked }, signal }),
    enabled: asked.length >= MIN_LENGTH,
    staleTime: 5_000,
    retry: false,
  })
  const isCurrent = isWanted && asked === typed
  const results = isCurrent ? (data?.results ?? []) : []
  const toItem = (result: SearchResult) => ({
    id: `${result.kind} ${result.id}`,
    label: formatPhoneNumbersIn(result.title),
    icon: kinds[result.kind].icon,
    hint: hintOf(result),
    isFound: true,
    onSelect: then(() => navigate({ href: hrefOf(result) })),
  })
  return {
    groups: SEARCH_KINDS.map((kind) => ({
      heading: kinds[kind].heading,
      items: results.filter((result) => result.kind === kind).map(toItem),
    })),
    state: !isWanted || (isCurrent && data) ? 'idle' : isCurrent && isError ? 'failed' : 'searching',
    retry: () => void refetch(),
  }
}

const hintOf = ({ detail, at }: SearchResult): string =>
  [formatPhoneNumbersIn(detail), at === null ? '' : formatDateTime(at)].filter(Boolean).join(' · ')
