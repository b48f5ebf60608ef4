import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages'
import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { explain } from '../../app/api.ts'
import { useUser } from '../../app/session.ts'
import { Failure } from '../../common/Failure.tsx'
import { ScreenTitle } from '../../common/ScreenTitle.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { CardSkeleton, CountryCard } from './CountryCard.tsx'
import { QuoteCard } from './QuoteCard.tsx'
import { routesQuery, selectionQuery, useSelectRoute } from './queries.ts'
import { RoutePicker } from './RoutePicker.tsx'
import { groupByCountry, type RouteGroup, searchGroups } from './route-groups.ts'

export function Trunks() {
  const routes = useQuery(routesQuery)
  const selection = useQuery(selectionQuery)
  const { mutate: select } = useSelectRoute()
  const isPremium = useUser()?.is_premium ?? false
  const [typed, setTyped] = useState('')
  const [picking, setPicking] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)

  const groups = groupByCountry(routes.data ?? [], selection.data)
  // Waits for both, so that a card never shows None for a moment.
  const isLoading = routes.isPending || selection.isPending

  function choose(code: string) {
    setPicking(code)
    setOpen(true)
  }

  return (
    <>
      <ScreenTitle
        title="Trunks Management"
        text="Manage your VoIP trunks and routing configurations with ease"
      />
      <QuoteCard hasRoutes={(code) => groups.some((group) => group.code === code)} onChooseRoute={choose} />
      {isLoading ? (
        <Waiting />
      ) : routes.isLoadingError ? (
        <Failure className="mb-4" onRetry={() => void routes.refetch()}>
          {explain(routes.error, messages.routesFailed)}
        </Failure>
      ) : groups.length === 0 ? (
        <Card>
          <EmptyState
            title="No routes yet"
            text="Your provider has not set up any routes yet. Try again later or contact support."
          />
        </Card>
      ) : (
        <>
          {selection.isLoadingError && (
            <Failure className="mb-4" onRetry={() => void selection.refetch()}>
              {explain(selection.error, messages.selectedRouteFailed)}
            </Failure>
          )}
          <Countries
            groups={groups}
            isSelectionKnown={selection.data !== undefined}
            typed={typed}
            onType={setTyped}
            onChange={choose}
          />
        </>
      )}
      <RoutePicker
        group={groups.find(({ code }) => code === picking) ?? null}
        open={isOpen}
        isPremium={isPremium}
        onSelect={(route) => {
          select(route)
          setOpen(false)
        }}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

type CountriesProps = {
  groups: readonly RouteGroup[]
  isSelectionKnown: boolean
  typed: string
  onType: (typed: string) => void
  onChange: (code: string) => void
}

function Countries({ groups, isSelectionKnown, typed, onType, onChange }: CountriesProps) {
  const found = searchGroups(groups, typed)
  const selected = groups.filter((group) => group.selected !== null).length
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchInput
          label="Search by country"
          placeholder="Search by country"
          className="w-full sm:max-w-xs"
          value={typed}
          onValueChange={onType}
        />
        <p role="status" className="figures text-muted text-sm">
          {typed.trim() !== ''
            ? `${found.length} of ${groups.length} countries`
            : isSelectionKnown
              ? `${selected} of ${groups.length} countries have a route`
              : `${groups.length} countries`}
        </p>
      </div>
      {found.length === 0 ? (
        <Card>
          <EmptyState
            icon={<Search />}
            title={`No matching results for “${typed.trim()}”`}
            text="Search by country name, two-letter code or route name."
            action={<Button onClick={() => onType('')}>Show all countries</Button>}
          />
        </Card>
      ) : (
        <Grid>
          {found.map((group) => (
            <CountryCard
              key={group.code}
              group={group}
              isSelectionKnown={isSelectionKnown}
              onChange={() => onChange(group.code)}
            />
          ))}
        </Grid>
      )}
    </>
  )
}

const Grid = ({ children }: { children: ReactNode }) => (
  <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-4">{children}</ul>
)

function Waiting() {
  return (
    <div aria-busy="true">
      <p role="status" className="mb-4 flex h-10 items-center text-muted text-sm">
        Loading trunks...
      </p>
      <Grid>
        {[0, 1, 2, 3, 4, 5].map((card) => (
          <CardSkeleton key={card} />
        ))}
      </Grid>
    </div>
  )
}
