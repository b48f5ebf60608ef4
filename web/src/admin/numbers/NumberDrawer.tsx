import { Link } from '@tanstack/react-router'
import type { AdminNumber } from '@trunkline/contract/numbers'
import { useState } from 'react'
import { Figure, Part } from '../../common/Details.tsx'
import { Facts, known } from '../../common/Facts.tsx'
import { formatDate } from '../../common/format/dates.ts'
import { formatExactMoney, formatSignedCost } from '../../common/format/money.ts'
import { formatNumber } from '../../common/format/numbers.ts'
import { formatPhoneNumber } from '../../common/format/phone-numbers.ts'
import { numberTypeWords } from '../../common/number-types.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { AssignDialog } from './AssignDialog.tsx'
import { ChangeStatus, DeleteNumber, ReleaseNumber } from './confirmations.tsx'
import { NumberForm } from './NumberForm.tsx'
import { ReserveDialog } from './ReserveDialog.tsx'
import { explainState, stateOf } from './words.ts'

type NumberDrawerProps = {
  number: AdminNumber | undefined
  onChanged: (number: AdminNumber) => void
  onClose: () => void
}

type Action = 'edit' | 'assign' | 'reserve' | 'block' | 'free' | 'release' | 'delete'

export function NumberDrawer({ number, onChanged, onClose }: NumberDrawerProps) {
  const [action, setAction] = useState<Action | null>(null)
  const done = () => setAction(null)
  return (
    <>
      <Drawer
        open={number !== undefined}
        onOpenChange={(isOpen) => !isOpen && onClose()}
        title={number ? formatPhoneNumber(number.number) : 'Number'}
        description={
          number && [number.area, number.country, numberTypeWords[number.type]].filter(Boolean).join(' · ')
        }
      >
        {number && <Details number={number} onAct={setAction} />}
      </Drawer>
      {number && action === 'edit' && <NumberForm number={number} onChanged={onChanged} onClose={done} />}
      {number && action === 'assign' && <AssignDialog number={number} onChanged={onChanged} onClose={done} />}
      {number && action === 'reserve' && (
        <ReserveDialog number={number} onChanged={onChanged} onClose={done} />
      )}
      {number && action === 'release' && (
        <ReleaseNumber number={number} onChanged={onChanged} onClose={done} />
      )}
      {number && (action === 'block' || action === 'free') && (
        <ChangeStatus
          number={number}
          to={action === 'block' ? 'blocked' : 'available'}
          onChanged={onChanged}
          onClose={done}
        />
      )}
      {number && action === 'delete' && <DeleteNumber number={number} onDeleted={onClose} onClose={done} />}
    </>
  )
}

const actionsOf: Record<AdminNumber['status'], readonly [Action, label: string][]> = {
  available: [
    ['assign', 'Assign to a customer'],
    ['reserve', 'Reserve'],
    ['block', 'Block'],
  ],
  reserved: [
    ['assign', 'Assign to a customer'],
    ['free', 'Make available'],
    ['block', 'Block'],
  ],
  blocked: [['free', 'Make available']],
  rented: [['release', 'Release']],
}

function Details({ number, onAct }: { number: AdminNumber; onAct: (action: Action) => void }) {
  const state = stateOf(number)
  const { usage, rental, user } = number
  return (
    <div className="flex flex-col gap-7">
      <div>
        <p className="flex flex-wrap items-center gap-2.5 text-sm">
          <Badge tone={state.tone}>{state.label}</Badge>
          {explainState(number)}
        </p>
        <div className="mt-4 flex flex-wrap gap-2">
          {actionsOf[number.status].map(([action, label]) => (
            <Button key={action} size="sm" onClick={() => onAct(action)}>
              {label}
            </Button>
          ))}
          <Button size="sm" onClick={() => onAct('edit')}>
            Edit
          </Button>
          {number.status !== 'rented' && (
            <Button size="sm" variant="ghost" onClick={() => onAct('delete')}>
              Delete
            </Button>
          )}
        </div>
      </div>
      <Part title="Last 30 days">
        <dl className="flex flex-wrap gap-x-8 gap-y-3">
          <Figure name="Answered">{formatNumber(usage.calls)}</Figure>
          <Figure name="Missed">{formatNumber(usage.missed)}</Figure>
          <Figure name="Minutes">{formatNumber(usage.minutes)}</Figure>
          <Figure name="Margin">{formatSignedCost(usage.margin)}</Figure>
        </dl>
        <p className="mt-3 text-muted text-sm">
          Margin is what customers paid for rent and calls, minus the cost at the carrier.
        </p>
      </Part>
      {rental && user && (
        <Part title="Rental">
          <Facts
            facts={known([
              ['Customer', user.username],
              ['Since', formatDate(rental.started_at)],
              [rental.cancels ? 'Ends' : 'Paid until', formatDate(rental.paid_until)],
            ])}
          />
          <Link
            to="/admin-panal/users/$id"
            params={{ id: String(user.id) }}
            className={buttonClass({ size: 'sm' })}
          >
            View customer
          </Link>
        </Part>
      )}
      <Part title="Prices and costs">
        <Facts
          facts={known([
            ['Price per month', formatExactMoney(number.monthly)],
            ['Set-up fee', formatExactMoney(number.setup)],
            ['Price per minute', formatExactMoney(number.price)],
            ['Cost per month', formatExactMoney(number.cost_monthly)],
            ['Cost per minute', formatExactMoney(number.cost)],
          ])}
        />
      </Part>
      <Part title="Details">
        <Facts
          facts={known([
            ['Carrier', number.trunk?.name ?? 'Any carrier'],
            ['Simultaneous calls', number.max_calls],
            ['Tags', number.tags.join(', ')],
            ['Note', number.note],
          ])}
        />
      </Part>
    </div>
  )
}
