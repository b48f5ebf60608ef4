import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { UserDetails } from '@trunkline/contract/admin-users'
import { ArrowLeft, Ban, CircleCheck, Merge, Scale } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useUser } from '../../app/session.ts'
import { Confirm } from '../../common/Confirm.tsx'
import { Failure } from '../../common/Failure.tsx'
import { formatMoney, formatRest, formatTaken } from '../../common/format/money.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Loading, Skeleton } from '../../ui/Skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { AdjustDialog } from '../balances/AdjustDialog.tsx'
import { Alerts } from './page/Alerts.tsx'
import { Calls } from './page/Calls.tsx'
import { Limits } from './page/Limits.tsx'
import { MergeDialog } from './page/MergeDialog.tsx'
import { Numbers } from './page/Numbers.tsx'
import { Overview } from './page/Overview.tsx'
import { Payments } from './page/Payments.tsx'
import { Phones } from './page/Phones.tsx'
import { Sessions } from './page/Sessions.tsx'
import { Statement } from './page/Statement.tsx'
import { Tickets } from './page/Tickets.tsx'
import { rereadUsers, userQuery } from './queries.ts'
import { StateBadges } from './StateBadges.tsx'
import { readTab, type UserTab, userTabs } from './search.ts'
import { TagBadges } from './TagBadges.tsx'
import { UserLink } from './UserLink.tsx'

const parts: Record<UserTab, ComponentType<{ user: UserDetails }>> = {
  overview: Overview,
  calls: Calls,
  statement: Statement,
  payments: Payments,
  limits: Limits,
  numbers: Numbers,
  phones: Phones,
  sessions: Sessions,
  tickets: Tickets,
  alerts: Alerts,
}

export function UserPage() {
  const { id } = useParams({ from: '/admin-gate/admin-panal/users/$id' })
  const tab = readTab(useSearch({ from: '/admin-gate/admin-panal/users/$id' }))
  const navigate = useNavigate({ from: '/admin-panal/users/$id' })
  const read = useQuery(userQuery(Number(id)))
  const user = read.data?.user
  return (
    <>
      {/* On a low screen, the tab of the panel leads there. */}
      <Link
        to="/admin-panal/users"
        className="mb-1 inline-flex min-h-6 items-center gap-1.5 rounded-sm text-muted text-sm hover:text-ink short:max-lg:hidden"
      >
        <ArrowLeft aria-hidden className="size-4" />
        All users
      </Link>
      {user ? (
        // Keyed by user: nothing typed for one can be sent for another.
        <div key={user.id}>
          <Head user={user} />
          <Tabs
            value={tab}
            onValueChange={(next) =>
              void navigate({ to: '.', search: { tab: next as UserTab }, replace: true, resetScroll: false })
            }
          >
            <TabList aria-label={`About ${user.username}`}>
              {Object.entries(userTabs).map(([name, label]) => (
                <Tab key={name} value={name}>
                  {label}
                  <Count of={countIn(user, name as UserTab)} />
                </Tab>
              ))}
            </TabList>
            {Object.entries(parts).map(([name, PartOf]) => (
              <TabPanel key={name} value={name} className="short:max-lg:pt-2! lg:pt-3!">
                <PartOf user={user} />
              </TabPanel>
            ))}
          </Tabs>
        </div>
      ) : read.isError ? (
        <>
          <h1 className="mb-4 font-semibold text-2xl tracking-tight">User {id}</h1>
          <Failure onRetry={() => void read.refetch()}>
            {explain(read.error, 'This user could not be loaded.')}
          </Failure>
        </>
      ) : (
        <Waiting />
      )}
    </>
  )
}

function countIn(user: UserDetails, tab: UserTab): number {
  const counts: Partial<Record<UserTab, number>> = {
    calls: user.live_calls,
    phones: user.registrations,
    tickets: user.open_tickets,
    alerts: user.open_alerts,
  }
  return counts[tab] ?? 0
}

const Count = ({ of }: { of: number }) =>
  of > 0 && (
    <Badge tone="signal" className="ml-1.5">
      {of}
    </Badge>
  )

function Head({ user }: { user: UserDetails }) {
  usePageTitle(`${user.username} · User Management · Admin Panel`)
  const self = useUser()
  const [asked, setAsked] = useState<'adjust' | 'state' | 'merge' | null>(null)
  const close = () => setAsked(null)
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 short:max-lg:mb-0 short:max-lg:gap-x-3 short:max-lg:gap-y-0 lg:flex-nowrap">
      <div className="min-w-0 short:max-lg:flex short:max-lg:flex-wrap short:max-lg:items-center short:max-lg:gap-x-3 lg:flex lg:flex-wrap lg:items-center lg:gap-x-4 lg:gap-y-1">
        <h1 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold text-2xl tracking-tight">
          <span className="min-w-0 break-all">{user.username}</span>
          {user.is_premium && <Badge tone="signal">Premium</Badge>}
          <StateBadges user={{ ...user, is_premium: false }} />
        </h1>
        <p className="break-words text-muted text-sm max-lg:mt-1 short:max-lg:mt-0">
          {[user.name, user.company, user.country, user.email].filter(Boolean).join(' · ') ||
            `User ${user.id}`}
        </p>
        <TagBadges tags={user.tags} all className="max-lg:mt-2 short:max-lg:mt-0" />
        <MergedWith user={user} />
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 lg:shrink-0 lg:flex-nowrap lg:gap-x-4 short:max-lg:gap-x-4 short:max-lg:gap-y-1">
        <Funds user={user} />
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => setAsked('adjust')}>
            <Scale aria-hidden />
            Adjust balance
          </Button>
          {!user.is_admin && (user.merged_into === null || user.bal > 0) && (
            <Button size="sm" onClick={() => setAsked('merge')}>
              <Merge aria-hidden />
              {user.merged_into === null ? 'Merge' : 'Merge the rest'}
            </Button>
          )}
          {user.id !== self?.id && user.merged_into === null && (
            <Button size="sm" onClick={() => setAsked('state')}>
              {user.is_disabled ? <CircleCheck aria-hidden /> : <Ban aria-hidden />}
              {user.is_disabled ? 'Enable account' : 'Disable account'}
            </Button>
          )}
        </div>
      </div>
      {asked === 'adjust' && (
        <AdjustDialog
          user={{ id: user.id, username: user.username, balance: user.bal, held: user.held }}
          onDone={(adjusted) => {
            close()
            if (adjusted) void rereadUsers()
          }}
        />
      )}
      {asked === 'merge' && <MergeDialog user={user} onClose={close} />}
      {asked === 'state' && <ChangeState user={user} onClose={close} />}
    </div>
  )
}

function MergedWith({ user: { merged_into, merged_from } }: { user: UserDetails }) {
  if (merged_into === null && merged_from.length === 0) return null
  const link = (account: { id: number; username: string }) => (
    <UserLink
      key={account.id}
      user={account}
      className="break-all rounded-sm font-medium underline decoration-line underline-offset-4 hover:decoration-current"
    />
  )
  return (
    <p className="flex flex-wrap gap-x-2 text-sm max-lg:mt-2">
      {merged_into ? (
        <>Merged into {link(merged_into)}</>
      ) : (
        <>Earlier accounts, with their calls and payments: {merged_from.map(link)}</>
      )}
    </p>
  )
}

function Funds({ user: { bal, held } }: { user: UserDetails }) {
  return (
    <dl className="figures flex gap-x-6 lg:gap-x-4">
      <Figure name="Balance" value={formatMoney(bal)} />
      {held > 0 && <Figure name="Held" value={formatTaken(bal, held)} />}
      {held > 0 && <Figure name="Available" value={formatRest(bal, held)} />}
    </dl>
  )
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div className="lg:flex lg:items-baseline lg:gap-2 short:flex short:items-baseline short:gap-2">
    <dt className="engraved text-muted">{name}</dt>
    <dd className="font-semibold text-2xl tracking-tight max-lg:mt-0.5 lg:text-lg short:max-lg:mt-0 short:max-lg:text-base">
      {value}
    </dd>
  </div>
)

function ChangeState({ user, onClose }: { user: UserDetails; onClose: () => void }) {
  const { id, username, is_disabled: isDisabled } = user
  const change = async () => {
    await api('PATCH /api/admin/user/update', { body: { id, is_disabled: !isDisabled } })
    return { message: isDisabled ? `${username} can sign in and call again.` : `${username} is disabled.` }
  }
  return isDisabled ? (
    <Confirm
      title={`Enable ${username}?`}
      text="They can sign in, register phones and call again."
      action="Enable account"
      isDanger={false}
      failed="The account could not be enabled. Please try again."
      onConfirm={change}
      reread={rereadUsers}
      onClose={onClose}
    />
  ) : (
    <Confirm
      title={`Disable ${username}?`}
      text="Their live calls end, they are signed out everywhere and their phones are disconnected. Their balance and history stay."
      action="Disable account"
      failed="The account could not be disabled. Please try again."
      onConfirm={change}
      reread={rereadUsers}
      onClose={onClose}
    />
  )
}

const Waiting = () => (
  <Loading className="flex flex-col gap-5">
    <Skeleton className="h-10 w-64" />
    <Skeleton className="h-10 w-full" />
    <Skeleton className="h-72 w-full" />
  </Loading>
)
