import type { Route } from '@trunkline/contract/routes'
import { Pencil, Trash2 } from 'lucide-react'
import { formatRate } from '../../../common/format/money.ts'
import { billingTerms } from '../../../common/prices.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../../ui/Table.tsx'

type RouteTableProps = {
  routes: readonly Route[]
  onEdit: (route: Route) => void
  onDelete: (route: Route) => void
}

/** On a phone, name, plan and premium are below the country. */
const wide = 'max-md:hidden'
const oneLine = 'md:max-w-40 md:truncate md:whitespace-nowrap'

export function RouteTable({ routes, onEdit, onDelete }: RouteTableProps) {
  return (
    <div className="-mx-2">
      <Table label="All trunks/routes" maxHeight="30rem">
        <THead className="sticky top-0 z-10 bg-surface">
          <Tr>
            <Th className="px-2!">Country</Th>
            <Th className={`px-2! ${wide}`}>Name</Th>
            <Th className={`px-2! ${wide}`}>Plan Name</Th>
            <Th className="px-2!" numeric>
              Price
            </Th>
            <Th className={`px-2! ${wide}`}>Premium</Th>
            <Th className="px-2!">
              <span className="sr-only">Actions</span>
            </Th>
          </Tr>
        </THead>
        <TBody>
          {routes.map((route) => (
            <RouteRow
              key={route.id}
              route={route}
              onEdit={() => onEdit(route)}
              onDelete={() => onDelete(route)}
            />
          ))}
        </TBody>
      </Table>
    </div>
  )
}

function RouteRow({ route, onEdit, onDelete }: { route: Route; onEdit: () => void; onDelete: () => void }) {
  const { country, name, planname, price, is_premium, rate_count } = route
  const terms = [billingTerms(route), finerRates(rate_count)].filter(Boolean)
  return (
    <Tr>
      <Td className={`px-2! ${oneLine}`} title={country}>
        <span className="font-medium">{country}</span>
        <span className="block text-muted text-xs md:hidden">
          {planname} · {name}
          {is_premium && ' · Premium'}
        </span>
      </Td>
      {/* The form calls them Route/Plan and Plan Name. The name that customers see is the plan's. */}
      <Td className={`px-2! ${wide} ${oneLine}`} title={planname}>
        {planname}
      </Td>
      <Td className={`px-2! ${wide} ${oneLine}`} title={name}>
        {name}
      </Td>
      <Td numeric className="px-2!">
        <Earnings route={route} />
        {terms.length > 0 && (
          <span
            className="mr-3 inline-block max-w-32 truncate align-bottom text-muted text-xs first-letter:uppercase max-xl:hidden"
            title={terms.join(', ')}
          >
            {terms.join(', ')}
          </span>
        )}
        {formatRate(price)}
      </Td>
      <Td className={`px-2! ${wide}`}>{is_premium ? 'Yes' : 'No'}</Td>
      <Td className="px-2! text-right md:py-0.5!">
        <span className="flex justify-end">
          <Button
            size="sm"
            variant="ghost"
            title="Edit"
            aria-label={`Edit ${name}, ${country}`}
            className="px-2!"
            onClick={onEdit}
          >
            <Pencil aria-hidden />
          </Button>
          <Button
            size="sm"
            variant="ghost"
            title="Delete"
            aria-label={`Delete ${name}, ${country}`}
            onClick={onDelete}
            className="px-2! hover:bg-danger-soft! hover:text-danger!"
          >
            <Trash2 aria-hidden />
          </Button>
        </span>
      </Td>
    </Tr>
  )
}

const finerRates = (count: number): string | false =>
  count > 0 && (count === 1 ? '1 prefix rate' : `${count} prefix rates`)

/** Warns about trunks that cost more than the price of the route. */
function Earnings({ route: { dearer_trunks = [], sells_below_cost } }: { route: Route }) {
  if (dearer_trunks.length === 0) return null
  const names = dearer_trunks.map(({ name }) => name).join(', ')
  return (
    <span
      className="mr-3 max-md:mr-0 max-md:mb-1 max-md:block"
      title={`Costs more than the price for some numbers: ${names}`}
    >
      <Badge tone={sells_below_cost ? 'danger' : 'pending'}>
        {sells_below_cost
          ? 'Sells below cost'
          : dearer_trunks.length === 1
            ? '1 trunk skipped'
            : `${dearer_trunks.length} trunks skipped`}
      </Badge>
    </span>
  )
}
