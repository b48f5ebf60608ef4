import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ALERT_TOPICS, type AlertTopic, alertTopics } from '@trunkline/contract/alert-topics'
import type { Alert } from '@trunkline/contract/alerts'
import { BellRing, CheckCheck, Settings2 } from 'lucide-react'
import { useState } from 'react'
import { withoutGaps } from '../../common/address.ts'
import { formatNumber } from '../../common/format/numbers.ts'
import { ListCard } from '../../common/ListCard.tsx'
import { SearchBox } from '../../common/SearchBox.tsx'
import { MoreBelow } from '../../common/ShowMore.tsx'
import { Button, inRowClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { SkeletonList } from '../../ui/Skeleton.tsx'
import { AlertRow } from './AlertRow.tsx'
import { alertsQuery, useAcknowledgeAll } from './queries.ts'
import { SettingsDialog } from './SettingsDialog.tsx'
import { type AlertsSearch, readSearch } from './search.ts'

export function Alerts() {
  const search = readSearch(useSearch({ strict: false }))
  const [areSettingsOpen, setSettingsOpen] = useState(false)
  const query = useInfiniteQuery(alertsQuery(search))
  const open = query.data?.pages.at(-1)?.open
  return (
    <>
      <header className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-2xl tracking-tight">Alerts</h1>
        <p role="status" className="figures text-muted">
          {open !== undefined && (open === 0 ? 'No open alerts' : `${formatNumber(open)} open`)}
        </p>
        <Button className="max-lg:ml-auto lg:order-2" onClick={() => setSettingsOpen(true)}>
          <Settings2 aria-hidden />
          Alert settings
        </Button>
        <Filters search={search} />
      </header>
      <ListCard label="Alerts" query={query} failed="The alerts could not be loaded." waiting={<Waiting />}>
        {({ pages }) => (
          <>
            <List alerts={pages.flatMap((page) => page.alerts)} isNarrowed={Object.keys(search).length > 0} />
            <MoreBelow query={query} />
          </>
        )}
      </ListCard>
      {areSettingsOpen && <SettingsDialog onClose={() => setSettingsOpen(false)} />}
    </>
  )
}

function Filters({ search }: { search: AlertsSearch }) {
  const navigate = useNavigate({ from: '/admin-panal/alerts' })
  const choose = (change: { [Name in keyof AlertsSearch]: AlertsSearch[Name] | undefined }) =>
    void navigate({
      to: '.',
      search: withoutGaps({ ...search, ...change }),
      replace: true,
      resetScroll: false,
    })
  return (
    <div className="grid basis-full grid-cols-2 gap-2 sm:grid-cols-[11rem_14rem_minmax(0,20rem)] lg:order-1 lg:ml-auto lg:basis-auto lg:grid-cols-[9rem_13rem_14rem]">
      <Select
        aria-label="State"
        value={search.state ?? ''}
        onChange={(event) => choose({ state: (event.target.value || undefined) as AlertsSearch['state'] })}
      >
        <option value="">Open</option>
        <option value="acknowledged">Acknowledged</option>
        <option value="all">All</option>
      </Select>
      <Select
        aria-label="Type"
        value={search.topic ?? ''}
        onChange={(event) => choose({ topic: (event.target.value || undefined) as AlertTopic | undefined })}
      >
        <option value="">All types</option>
        <Options of={ALERT_TOPICS.map((topic) => [topic, alertTopics[topic].title])} />
      </Select>
      <SearchBox
        label="Username"
        placeholder="Username"
        className="max-sm:col-span-2"
        text={search.user}
        onSearch={(user) => choose({ user })}
      />
    </div>
  )
}

function List({ alerts, isNarrowed }: { alerts: readonly Alert[]; isNarrowed: boolean }) {
  if (alerts.length === 0) return <Nothing isNarrowed={isNarrowed} />
  return (
    <>
      <AcknowledgeShown alerts={alerts} />
      <ul className="divide-y">
        {alerts.map((alert) => (
          <AlertRow key={alert.id} alert={alert} />
        ))}
      </ul>
    </>
  )
}

/** Acknowledges the alerts on the screen only. Newer ones stay open. */
function AcknowledgeShown({ alerts }: { alerts: readonly Alert[] }) {
  const acknowledge = useAcknowledgeAll()
  const ids = alerts.filter(({ acknowledged_at }) => acknowledged_at === null).map(({ id }) => id)
  if (ids.length < 2) return null
  return (
    <div className="flex items-center justify-between gap-3 border-b px-4 py-2.5 lg:py-1">
      <p className="figures text-muted text-sm">{ids.length} open alerts shown</p>
      <Button
        size="sm"
        className={inRowClass}
        busy={acknowledge.isPending}
        onClick={() => acknowledge.mutate(ids)}
      >
        <CheckCheck aria-hidden />
        Acknowledge all shown
      </Button>
    </div>
  )
}

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState
    icon={<BellRing />}
    title={isNarrowed ? 'No matching alerts' : 'No open alerts'}
    text={
      isNarrowed
        ? 'Choose another state, type or user.'
        : 'Large top-ups, low balances, blocked calls, trunks that are down and similar events appear here.'
    }
  />
)

const Waiting = () => (
  <SkeletonList
    rows={4}
    className="h-24 flex-col justify-center gap-2.5 px-5 lg:h-9 lg:flex-row"
    parts={['w-40', 'w-80 max-w-full']}
  />
)
