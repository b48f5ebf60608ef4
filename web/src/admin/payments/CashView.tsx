import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Cash } from '@trunkline/contract/dashboard'
import { formatMonthYear } from '../../common/format/dates.ts'
import { formatCost, formatMoney } from '../../common/format/money.ts'
import { viewersZone } from '../../common/format/viewer.ts'
import { ListCard } from '../../common/ListCard.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { cashQuery } from './queries.ts'

type Month = Cash['months'][number]

/** Money received and paid out, and what calls earned, by month. */
export function CashView() {
  const query = useQuery(cashQuery)
  return (
    <ListCard
      label="Cash"
      query={query}
      failed="The cash view could not be loaded."
      waiting={<SkeletonRows rows={8} className="m-4 h-6" />}
      heading={
        query.data && (
          <p className="border-b px-4 py-2.5 text-sm">
            <span className="text-muted">Owed to customers now</span>{' '}
            <span className="figures font-semibold">{formatMoney(query.data.owed)}</span>
            <span className="text-muted">
              {' '}
              (the sum of all balances). Months in {viewersZone().replaceAll('_', ' ')}.{' '}
              <Link
                to="/admin-panal/trunks/invoices"
                className="rounded-sm text-ink underline underline-offset-4"
              >
                Compare carrier cost with invoices
              </Link>
            </span>
          </p>
        )
      }
    >
      {({ months }) => (
        <Table label="Cash by month">
          <THead>
            <Tr>
              <Th className="md:pl-4">Month</Th>
              {columns.map(({ name }) => (
                <Th key={name} numeric className="last:md:pr-4">
                  {name}
                </Th>
              ))}
            </Tr>
          </THead>
          <TBody>
            {months.map((month) => (
              <Tr key={month.month}>
                <Td className="whitespace-nowrap font-medium md:pl-4">{formatMonthYear(month.month)}</Td>
                {columns.map(({ name, figure, write }) => (
                  <Td
                    key={name}
                    numeric
                    className={figure(month) < 0 ? 'text-danger last:md:pr-4' : 'last:md:pr-4'}
                  >
                    {write(figure(month))}
                  </Td>
                ))}
              </Tr>
            ))}
          </TBody>
        </Table>
      )}
    </ListCard>
  )
}

type Column = { name: string; figure: (month: Month) => number; write: (figure: number) => string }

const columns: readonly Column[] = [
  { name: 'Top-ups', figure: ({ top_ups }) => top_ups, write: formatMoney },
  { name: 'Upgrades', figure: ({ upgrades }) => upgrades, write: formatMoney },
  { name: 'Paid out', figure: ({ paid_out }) => paid_out, write: formatMoney },
  { name: 'Call revenue', figure: ({ call_revenue }) => call_revenue, write: formatCost },
  { name: 'Carrier cost', figure: ({ carrier_cost }) => carrier_cost, write: formatCost },
  { name: 'Call margin', figure: ({ margin }) => margin, write: formatCost },
]
