import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UserDetails } from '@trunkline/contract/admin-users'
import { formatMoney } from '../../../common/format/money.ts'
import { Paged } from '../../../common/Loaded.tsx'
import { Moment } from '../../../common/Moment.tsx'
import { headCells, numeric } from '../../../ui/BlockTable.tsx'
import { TitledCard } from '../../../ui/Card.tsx'
import { Table, TBody, Td, THead, Tr } from '../../../ui/Table.tsx'
import { StatusWords } from '../../payments/StatusWords.tsx'
import { kinds } from '../../payments/search.ts'
import { paymentsQuery } from '../queries.ts'
import { listCard } from './list-card.ts'

export function Payments({ user }: { user: UserDetails }) {
  const payments = useInfiniteQuery(paymentsQuery(user.id))
  return (
    <TitledCard title="Payments" className={listCard}>
      <Paged
        query={payments}
        failed="The payments could not be loaded."
        rowsOf={(page) => page.payments}
        empty={{ title: 'No payments yet', text: `Top-ups and upgrades of ${user.username} appear here.` }}
      >
        {(rows) => (
          <Table label="List of payments">
            <THead>
              <Tr>{headCells(['Date', 'Order', 'Type', numeric('Amount'), 'State'], '')}</Tr>
            </THead>
            <TBody>
              {rows.map((payment) => (
                // The link of the first cell covers the whole row.
                <Tr key={payment.id} className="relative">
                  <Td className="figures whitespace-nowrap">
                    <Link
                      to="/admin-panal/payments"
                      search={{ user: user.id, payment: payment.id }}
                      preload={false}
                      className="after:absolute after:inset-0"
                    >
                      <span className="sr-only">History of the payment of </span>
                      <Moment at={payment.created_at} />
                    </Link>
                  </Td>
                  <Td className="font-mono text-xs">{payment.order_id}</Td>
                  <Td>{kinds[payment.kind]}</Td>
                  <Td numeric className="font-medium">
                    {formatMoney(payment.amount)}
                  </Td>
                  <Td>
                    <StatusWords payment={payment} />
                  </Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        )}
      </Paged>
    </TitledCard>
  )
}
