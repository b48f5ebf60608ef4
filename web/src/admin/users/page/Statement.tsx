import { useInfiniteQuery } from '@tanstack/react-query'
import type { StatementLine } from '@trunkline/contract/admin-balances'
import type { WholeUser } from '@trunkline/contract/admin-users'
import { Scale } from 'lucide-react'
import { useState } from 'react'
import { atTime, onDay } from '../../../common/payments/dates.ts'
import { exactDollars } from '../../../common/prices.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { cx } from '../../../ui/cx.ts'
import { Table, TBody, Td, THead, Th, Tr } from '../../../ui/Table.tsx'
import { AdjustDialog } from '../../balances/AdjustDialog.tsx'
import { rereadUsers, statementQuery } from '../queries.ts'
import { Paged } from './Part.tsx'

const kinds: Readonly<Record<StatementLine['kind'], string>> = {
  top_up: 'Top-up',
  upgrade_purchase: 'Upgrade',
  promo_credit: 'Promo code',
  adjustment: 'Adjustment',
  refund_to_balance: 'Refund to balance',
  refund_paid_out: 'Refund paid out',
  call_settlement: 'Call',
}

export function Statement({ user }: { user: WholeUser }) {
  const statement = useInfiniteQuery(statementQuery(user.id))
  const [isAdjusting, setAdjusting] = useState(false)
  return (
    <Card aria-label="Statement">
      <CardHeader
        title="Statement"
        action={
          <Button size="sm" onClick={() => setAdjusting(true)}>
            <Scale aria-hidden />
            Adjust balance
          </Button>
        }
      />
      <Paged
        query={statement}
        failed="The statement could not be loaded."
        rowsOf={({ lines }) => lines}
        empty={{ title: 'Nothing has moved this balance yet.' }}
      >
        {(lines) => (
          <Table label="Movements of the balance">
            <THead>
              <Tr>
                <Th>When</Th>
                <Th>What</Th>
                <Th numeric>Amount</Th>
                <Th numeric>Balance</Th>
              </Tr>
            </THead>
            <TBody>
              {lines.map((line) => (
                <Line key={line.id} line={line} />
              ))}
            </TBody>
          </Table>
        )}
      </Paged>
      {isAdjusting && (
        <AdjustDialog
          user={{ id: user.id, username: user.username, balance: user.bal, held: user.held }}
          onDone={(adjusted) => {
            setAdjusting(false)
            if (adjusted) void rereadUsers()
          }}
        />
      )}
    </Card>
  )
}

const Line = ({ line: { at, kind, amount, balance, reference, reason } }: { line: StatementLine }) => (
  <Tr>
    <Td className="figures whitespace-nowrap">
      {onDay(at)} <span className="text-muted">{atTime(at)}</span>
    </Td>
    <Td className="min-w-44">
      {kinds[kind]}
      <span className="block break-all text-muted text-xs">{reason ?? reference}</span>
    </Td>
    <Td numeric className={cx('font-medium', amount > 0 ? 'text-success' : '')}>
      {amount > 0 ? '+' : '−'}
      {exactDollars(Math.abs(amount))}
    </Td>
    <Td numeric>{exactDollars(balance)}</Td>
  </Tr>
)
