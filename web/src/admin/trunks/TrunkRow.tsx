import { Link } from '@tanstack/react-router'
import type { Trunk, TrunkFigures } from '@trunkline/contract/trunks'
import { formatRate } from '../../common/format/money.ts'
import { formatCount, formatNumber, formatPercent } from '../../common/format/numbers.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, inRowClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Lamp } from '../../ui/Lamp.tsx'
import { Cell, HeadRow, OpeningRow } from './OpeningRow.tsx'
import { TrunkDetails } from './TrunkDetails.tsx'
import { isNearlyFull, stateOf } from './trunk-words.ts'
import { useTrunkChange } from './use-trunk-change.ts'

type TrunkRowProps = {
  trunk: Trunk
  figures: TrunkFigures | undefined
  isOnly: boolean
  onEdit: () => void
  onDelete: () => void
}

/** The columns of a row, shared with the heads. */
const columns =
  'md:grid md:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,4fr)_4.5rem_minmax(0,4fr)_6rem_11.5rem] md:items-center md:gap-x-4 md:px-4'

export const TrunkHeads = () => (
  <HeadRow columns={columns}>
    <span>Carrier</span>
    <span>Gateway</span>
    <span>Serves</span>
    <span className="text-right">Calls</span>
    <span>Buy rate</span>
    <span>Today</span>
  </HeadRow>
)

export function TrunkRow({ trunk, figures, isOnly, onEdit, onDelete }: TrunkRowProps) {
  const state = stateOf(trunk)
  const change = useTrunkChange(trunk)
  const isActive = trunk.configured_status === 'active'
  return (
    <OpeningRow
      name={trunk.name}
      columns={columns}
      isOnly={isOnly}
      before={<Lamp lit={state.lamp} label="" />}
      after={<Badge tone={toneOf(state.lamp)}>{state.word}</Badge>}
      cells={
        <>
          <Cell title={`${trunk.host}:${trunk.port}`} className="font-mono max-md:hidden">
            {trunk.host}:{trunk.port}
          </Cell>
          <Cell title={servesWords(trunk)} className="max-md:hidden">
            {servesWords(trunk)}
          </Cell>
          <Cell className={cx('figures md:text-right', isNearlyFull(trunk) && 'text-danger')}>
            {formatNumber(trunk.used)} / {formatNumber(trunk.capacity)}
            <span className="md:sr-only"> calls</span>
          </Cell>
          <Cell className="figures">
            {formatRate(trunk.buy_rate)}{' '}
            <Link
              to="/admin-panal/trunks"
              search={{ view: 'rates', list: `trunk-${trunk.id}` }}
              className="relative rounded-sm text-muted underline underline-offset-4 hover:text-ink"
            >
              {trunk.rate_count ? formatCount(trunk.rate_count, 'prefix rate') : 'No prefix rates'}
              <span className="sr-only"> of {trunk.name}</span>
            </Link>
          </Cell>
          <Cell className="figures max-md:hidden">
            <Today served={figures?.today} />
          </Cell>
        </>
      }
      actions={
        <>
          <Button size="sm" className={inRowClass} onClick={onEdit} aria-label={`Edit ${trunk.name}`}>
            Edit
          </Button>
          <Button
            size="sm"
            className={cx(inRowClass, 'md:w-24')}
            busy={change.isPending && change.variables !== 'primary'}
            onClick={() => change.mutate(isActive ? 'inactive' : 'active')}
            aria-label={`${isActive ? 'Deactivate' : 'Activate'} ${trunk.name}`}
          >
            {isActive ? 'Deactivate' : 'Activate'}
          </Button>
        </>
      }
      details={<TrunkDetails trunk={trunk} figures={figures} change={change} onDelete={onDelete} />}
    />
  )
}

const toneOf = (lamp: ReturnType<typeof stateOf>['lamp']) =>
  lamp === 'signal' ? 'success' : lamp === 'off' ? 'neutral' : lamp

const servesWords = ({ country, plans = [] }: Trunk): string =>
  `${country || 'Every country'} · ${plans.length === 0 ? 'no plan' : plans.join(', ')}`

function Today({ served }: { served: TrunkFigures['today'] | undefined }) {
  if (!served || served.attempts === 0) return <span className="text-muted">No calls</span>
  return (
    <>
      {formatPercent(served.answer_rate)}
      <span className="text-muted"> of {formatNumber(served.attempts)}</span>
    </>
  )
}
