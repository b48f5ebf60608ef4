import { Link } from '@tanstack/react-router'
import type { Trunk, TrunkFigures } from '@trunkline/contract/trunks'
import type { ReactNode } from 'react'
import { formatDateTime } from '../../common/format/dates.ts'
import { formatDuration, formatMinutes } from '../../common/format/durations.ts'
import { formatCost, formatRate } from '../../common/format/money.ts'
import { formatCount, formatPercent } from '../../common/format/numbers.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { TestResult, useTrunkTest } from './TrunkTest.tsx'
import { buyTermsOf, isNearlyFull, registrationOf, stateOf } from './trunk-words.ts'
import type { TrunkChange } from './use-trunk-change.ts'

type TrunkDetailsProps = {
  trunk: Trunk
  figures: TrunkFigures | undefined
  change: TrunkChange
  onDelete: () => void
}

/** Everything about a trunk that its row has no room for. */
export function TrunkDetails({ trunk, figures, change, onDelete }: TrunkDetailsProps) {
  const state = stateOf(trunk)
  const test = useTrunkTest(trunk.id)
  const linkTo = (what: string) => ({
    className: buttonClass({ size: 'sm' }),
    'aria-label': `${what} of ${trunk.name}`,
  })
  return (
    <div className="border-t px-4 py-4">
      <div className="grid grid-cols-2 gap-x-8 gap-y-4 lg:grid-cols-4">
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
          <span className="block text-sm">
            {trunk.country || 'Every country'}
            <span className="text-muted"> · priority {trunk.priority}</span>
          </span>
          <span className="mt-1 flex flex-wrap gap-1">
            {trunk.isPrimary && <Badge tone="signal">Primary for {trunk.country || 'every country'}</Badge>}
            {trunk.plans?.map((plan) => (
              <Badge key={plan}>{plan}</Badge>
            ))}
            {trunk.plans?.length === 0 && <span className="text-muted text-sm">No plan, so no calls</span>}
          </span>
        </Part>
        <Part name="In use">
          <Use trunk={trunk} />
        </Part>
        <Part name="Buy rate">
          <span className="figures block text-sm">
            {[formatRate(trunk.buy_rate), buyTermsOf(trunk)].filter(Boolean).join(', ')}
          </span>
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
        <Part name="Incoming calls" isWide>
          <span className="block text-sm">{incomingWords(trunk)}</span>
        </Part>
        {trunk.registers && (
          <Part name="Registration" isWide>
            <Registration {...registrationOf(trunk)} />
          </Part>
        )}
      </div>
      <TestResult test={test} />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          size="sm"
          busy={test.isPending}
          onClick={() => test.mutate()}
          aria-label={`Test now: ${trunk.name}`}
        >
          Test now
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
        <Link
          {...linkTo('Rates')}
          to="/admin-panal/trunks"
          search={{ view: 'rates', list: `trunk-${trunk.id}` }}
        >
          Rates
        </Link>
        <Link {...linkTo('Numbers')} to="/admin-panal/trunks/numbers" search={{ trunk: trunk.id }}>
          Numbers
        </Link>
        <Link {...linkTo('Invoices')} to="/admin-panal/trunks/invoices" search={{ trunk: trunk.id }}>
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
    </div>
  )
}

function incomingWords({
  incoming_sources = [],
  has_incoming_password: hasPassword,
  registers,
}: Trunk): string {
  const ways = [
    incoming_sources.length > 0 && `from ${formatCount(incoming_sources.length, 'address', 'addresses')}`,
    hasPassword && 'with a password',
    registers && 'to the registration',
  ].filter(Boolean)
  if (ways.length === 0) return 'Not accepted'
  return `Accepted ${[ways.slice(0, -1).join(', '), ways.at(-1)].filter(Boolean).join(' or ')}`
}

const Registration = ({ isFailing, text, since }: ReturnType<typeof registrationOf>) => (
  <>
    <span className={cx('block text-sm', isFailing && 'text-danger')}>{text}</span>
    {since !== null && <span className="figures text-muted text-sm">Since {formatDateTime(since)}</span>}
  </>
)

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

function Use({ trunk }: { trunk: Trunk }) {
  const { used, capacity } = trunk
  return (
    <>
      <span className="figures block text-sm">
        {used} of {formatCount(capacity, 'call')}
        {isNearlyFull(trunk) && ' – nearly full'}
      </span>
      <span aria-hidden className="mt-2 block h-1.5 overflow-hidden rounded-full bg-ink/10">
        <span
          className={cx('block h-full', isNearlyFull(trunk) ? 'bg-danger' : 'bg-signal-edge')}
          style={{ width: `${Math.min(1, used / capacity) * 100}%` }}
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
