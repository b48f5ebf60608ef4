import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Trunk, TrunkFigures } from '@trunkline/contract/trunks'
import { type ReactNode, useId } from 'react'
import { api, explain } from '../../app/api.ts'
import { formatDateTime } from '../../common/format/dates.ts'
import { formatDuration, formatMinutes } from '../../common/format/durations.ts'
import { formatCost, formatRate } from '../../common/format/money.ts'
import { formatCount, formatPercent } from '../../common/format/numbers.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Lamp } from '../../ui/Lamp.tsx'
import { toast } from '../../ui/toast.ts'
import { refreshCatalogue } from './queries.ts'
import { TestResult, useTrunkTest } from './TrunkTest.tsx'
import { buyTermsOf, stateOf } from './trunk-words.ts'

type TrunkCardProps = {
  trunk: Trunk
  figures: TrunkFigures | undefined
  onEdit: () => void
  onDelete: () => void
}

export function TrunkCard({ trunk, figures, onEdit, onDelete }: TrunkCardProps) {
  const heading = useId()
  const state = stateOf(trunk)
  const test = useTrunkTest(trunk.id)
  const isActive = trunk.configured_status === 'active'
  const change = useTrunkChange(trunk)
  return (
    <li className="card" aria-labelledby={heading}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Lamp lit={state.lamp} label="" />
        <h2 id={heading} className="min-w-0 break-words font-semibold text-lg tracking-tight">
          {trunk.name}
        </h2>
        <Badge tone={toneOf(state.lamp)}>{state.word}</Badge>
        {trunk.isPrimary && <Badge tone="signal">Primary for {trunk.country || 'every country'}</Badge>}
        <span className="figures ml-auto text-muted text-sm">Priority {trunk.priority}</span>
      </div>
      <div className="mt-4 grid grid-cols-2 gap-x-8 gap-y-4 lg:grid-cols-4">
        <Part name="Gateway" isWide>
          <span className="block break-words font-mono text-sm">
            {trunk.host}
            <wbr />:{trunk.port}
          </span>
          <span className="text-muted text-sm">
            {[trunk.transport?.toUpperCase(), trunk.provider, trunk.has_password && 'authenticated']
              .filter(Boolean)
              .join(' · ')}
          </span>
        </Part>
        <Part name="Serves" isWide>
          <span className="block text-sm">{trunk.country || 'Every country'}</span>
          <span className="mt-1 flex flex-wrap gap-1">
            {trunk.plans?.map((plan) => (
              <Badge key={plan}>{plan}</Badge>
            ))}
            {trunk.plans?.length === 0 && <span className="text-muted text-sm">No plan, so no calls</span>}
          </span>
        </Part>
        <Part name="In use">
          <Use used={trunk.used} capacity={trunk.capacity} />
        </Part>
        <Part name="Buy rate">
          <span className="figures block text-sm">
            {[formatRate(trunk.buy_rate), buyTermsOf(trunk)].filter(Boolean).join(', ')}
          </span>
          <Link
            to="/admin-panal/trunks"
            search={{ view: 'rates', list: `trunk-${trunk.id}` }}
            className="rounded-sm text-muted text-sm underline underline-offset-4 hover:text-ink"
          >
            {trunk.rate_count ? `${formatCount(trunk.rate_count, 'prefix rate')}` : 'No prefix rates'}
            <span className="sr-only"> of {trunk.name}</span>
          </Link>
        </Part>
        <Part name="Health" isWide>
          <span className="block text-sm">{state.detail}</span>
          {state.since !== null && state.heardAt !== null && (
            <span className="figures text-muted text-sm">
              Since {formatDateTime(state.since)}, last heard {formatDateTime(state.heardAt)}
            </span>
          )}
        </Part>
        <Served name="Today" served={figures?.today} />
        <Served name="7 days" served={figures?.week} />
      </div>
      <TestResult test={test} />
      <div className="mt-4 flex flex-wrap gap-2 border-t pt-4">
        <Button
          size="sm"
          busy={test.isPending}
          onClick={() => test.mutate()}
          aria-label={`Test now: ${trunk.name}`}
        >
          Test now
        </Button>
        <Button size="sm" onClick={onEdit} aria-label={`Edit ${trunk.name}`}>
          Edit
        </Button>
        {!trunk.isPrimary && (
          <Button
            size="sm"
            busy={change.isPending && change.variables === 'primary'}
            onClick={() => change.mutate('primary')}
            aria-label={`Make primary for ${trunk.country || 'every country'}: ${trunk.name}`}
          >
            Make primary
          </Button>
        )}
        <Button
          size="sm"
          busy={change.isPending && change.variables !== 'primary'}
          onClick={() => change.mutate(isActive ? 'inactive' : 'active')}
          aria-label={`${isActive ? 'Deactivate' : 'Activate'} ${trunk.name}`}
        >
          {isActive ? 'Deactivate' : 'Activate'}
        </Button>
        <Link
          to="/admin-panal/trunks"
          search={{ view: 'rates', list: `trunk-${trunk.id}` }}
          className={buttonClass({ size: 'sm' })}
          aria-label={`Rates of ${trunk.name}`}
        >
          Rates
        </Link>
        <Link
          to="/admin-panal/trunks/invoices"
          search={{ trunk: trunk.id }}
          className={buttonClass({ size: 'sm' })}
          aria-label={`Invoices of ${trunk.name}`}
        >
          Invoices
        </Link>
        <Button
          size="sm"
          variant="ghost"
          className="ml-auto"
          onClick={onDelete}
          aria-label={`Delete ${trunk.name}`}
        >
          Delete
        </Button>
      </div>
    </li>
  )
}

/** Sends the version, so that a trunk changed by someone else is shown before it is switched. */
function useTrunkChange({ id, name, version }: Trunk) {
  return useMutation({
    mutationFn: (to: 'primary' | 'active' | 'inactive') =>
      to === 'primary'
        ? api('PATCH /api/trunks/:id/primary', { params: { id } })
        : api('PATCH /api/trunks/:id', { params: { id }, body: { status: to, version } }),
    onSuccess: (_, to) => {
      const words = {
        primary: 'is now primary',
        active: 'is active',
        inactive: 'is inactive',
      }
      toast.success(`${name} ${words[to]}.`)
    },
    onError: (error) => toast.error(explain(error, `${name} could not be changed.`)),
    onSettled: refreshCatalogue,
  })
}

const toneOf = (lamp: ReturnType<typeof stateOf>['lamp']) =>
  lamp === 'signal' ? 'success' : lamp === 'off' ? 'neutral' : lamp

type PartProps = {
  name: string /** Takes the whole width of a phone. */
  isWide?: boolean
  children: ReactNode
}

const Part = ({ name, isWide = false, children }: PartProps) => (
  <div className={cx('min-w-0', isWide && 'max-sm:col-span-2')}>
    <p className="engraved mb-1 text-muted">{name}</p>
    {children}
  </div>
)

const NEARLY_FULL = 0.9

function Use({ used, capacity }: { used: number; capacity: number }) {
  const share = Math.min(1, used / capacity)
  return (
    <>
      <span className="figures block text-sm">
        {used} of {formatCount(capacity, 'call')}
        {share >= NEARLY_FULL && ' – nearly full'}
      </span>
      <span aria-hidden className="mt-2 block h-1.5 overflow-hidden rounded-full bg-ink/10">
        <span
          className={cx('block h-full', share >= NEARLY_FULL ? 'bg-danger' : 'bg-signal-edge')}
          style={{ width: `${share * 100}%` }}
        />
      </span>
    </>
  )
}

function Served({ name, served }: { name: string; served: TrunkFigures['today'] | undefined }) {
  if (!served || served.attempts === 0)
    return (
      <Part name={name}>
        <span className="block text-muted text-sm">No calls</span>
      </Part>
    )
  const { attempts, answer_rate, average_duration, minutes, buy_cost } = served
  return (
    <Part name={name}>
      <span className="figures block text-sm">
        {formatCount(attempts, 'attempt')}
        {answer_rate !== null && `, ${formatPercent(answer_rate)} answered`}
      </span>
      <span className="figures text-muted text-sm">
        {average_duration !== null && `${formatDuration(average_duration)} on average, `}
        {formatMinutes(minutes)}, {formatCost(buy_cost)} cost
      </span>
    </Part>
  )
}
