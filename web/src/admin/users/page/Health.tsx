import { useQuery } from '@tanstack/react-query'
import type { UserDetails, UserHealth } from '@trunkline/contract/admin-users'
import { TriangleAlert } from 'lucide-react'
import { Facts } from '../../../common/Facts.tsx'
import { formatMoney } from '../../../common/format/money.ts'
import { formatCount, formatNumber, formatShortPercent } from '../../../common/format/numbers.ts'
import { Loaded } from '../../../common/Loaded.tsx'
import { TitledCard } from '../../../ui/Card.tsx'
import { healthQuery } from '../queries.ts'

/** Signs that a customer needs attention, and the figures behind them. */
export function Health({ user }: { user: UserDetails }) {
  const query = useQuery(healthQuery(user.id))
  return (
    <TitledCard title="Health">
      <Loaded query={query} failed="The health could not be loaded.">
        {({ health }) =>
          health === null ? (
            <p className="text-muted text-sm">Disabled accounts have no figures.</p>
          ) : (
            <>
              <Reasons health={health} />
              <Facts facts={factsOf(health)} />
              <p className="mt-3 text-muted text-xs">
                Last 7 full days (UTC), compared with the 7 days before.
              </p>
            </>
          )
        }
      </Loaded>
    </TitledCard>
  )
}

const Reasons = ({ health: { reasons } }: { health: UserHealth }) =>
  reasons.length === 0 ? (
    <p className="mb-4 text-muted text-sm">Nothing unusual.</p>
  ) : (
    <ul className="mb-4 flex flex-col gap-1.5 text-sm">
      {reasons.map(({ kind, text }) => (
        <li key={kind} className="figures flex items-center gap-2 font-medium">
          <TriangleAlert aria-hidden className="size-4 shrink-0 text-pending" />
          {text}
        </li>
      ))}
    </ul>
  )

function factsOf(health: UserHealth): [string, string][] {
  return [
    ['Spend', `${formatMoney(health.spend)}${change(health.spend_change_percent)}`],
    ['Failed calls', failed(health)],
    ['Open tickets', tickets(health)],
    ['Balance lasts', health.balance_days === null ? 'No spend' : days(health.balance_days)],
  ]
}

const change = (percent: number | null) =>
  percent === null ? '' : `, ${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent)}%`

function failed({ calls, failed_percent: now, failed_percent_before: before }: UserHealth): string {
  if (now === null) return 'No calls'
  const of = `${formatShortPercent(now)} of ${formatNumber(calls)}`
  return before === null ? of : `${of}, ${before}% before`
}

function tickets({ open_tickets: open, oldest_ticket_minutes: minutes }: UserHealth): string {
  if (minutes === null) return 'None'
  const age = minutes < 1_440 ? `${Math.floor(minutes / 60)} h` : days(Math.floor(minutes / 1_440))
  return open === 1 ? `1, for ${age}` : `${open}, the oldest for ${age}`
}

const days = (count: number) => formatCount(count, 'day')
