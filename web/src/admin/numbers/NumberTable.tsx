import { Link } from '@tanstack/react-router'
import type { AdminNumber } from '@trunkline/contract/numbers'
import { formatExactMoney, formatSignedCost } from '../../common/format/money.ts'
import { numberTypeWords } from '../../common/number-types.ts'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { BlockTable, headCells, numeric } from '../../ui/BlockTable.tsx'
import { cx } from '../../ui/cx.ts'
import { SkeletonTable } from '../../ui/Skeleton.tsx'
import { Td, Tr } from '../../ui/Table.tsx'
import { UserLink } from '../users/UserLink.tsx'
import type { NumbersSearch } from './search.ts'
import { stateOf, usageSentence, usageWords } from './words.ts'

type NumberTableProps = { numbers: readonly AdminNumber[]; isOld: boolean; search: NumbersSearch }

export const NumberTable = ({ numbers, isOld, search }: NumberTableProps) => (
  <BlockTable
    caption="Numbers. Select one for details and actions. Usage and margin are of the last 30 days."
    isOld={isOld}
    heads={headCells(
      [
        'Number',
        'Country',
        'Area',
        'Type',
        'Carrier',
        'Status',
        'Customer',
        numeric('Month'),
        numeric('Minute'),
        numeric('Usage'),
        numeric('Margin'),
        'Tags',
      ],
      'md:px-2 md:first:pl-4 md:last:pr-4',
    )}
  >
    {numbers.map((number) => (
      <NumberRow key={number.id} number={number} search={search} />
    ))}
  </BlockTable>
)

/** A cell that keeps the row on one line. */
const short = 'md:truncate md:px-2 max-md:min-w-0 max-md:break-words max-md:p-0'
const onlyWide = 'max-md:hidden md:px-2'

function NumberRow({ number, search }: { number: AdminNumber; search: NumbersSearch }) {
  const { area, country, trunk, user, usage } = number
  const state = stateOf(number)
  const carrier = trunk?.name ?? 'Any'
  return (
    // The link of the first cell covers the whole row.
    <Tr
      className={cx(
        'relative max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-1 max-md:px-4 max-md:py-3.5',
        search.number === number.id && 'bg-signal-soft/60',
      )}
    >
      <Td className="figures whitespace-nowrap font-medium max-md:order-1 max-md:p-0 md:pr-2 md:pl-4">
        <Link
          to="/admin-panal/trunks/numbers"
          search={{ ...search, number: number.id }}
          resetScroll={false}
          preload={false}
          className="after:absolute after:inset-0"
        >
          <PhoneNumber of={number.number} />
        </Link>
      </Td>
      <Td className={cx(short, 'max-md:order-3 md:max-w-32')} title={country}>
        {country}
        <span className="text-muted md:hidden">
          {[area && ` · ${area}`, ` · ${numberTypeWords[number.type]}`].filter(Boolean).join('')}
        </span>
      </Td>
      <Td className={cx(short, 'max-md:hidden md:max-w-28')} title={area}>
        {area || <None />}
      </Td>
      <Td className={cx(onlyWide, 'whitespace-nowrap')}>{numberTypeWords[number.type]}</Td>
      <Td className={cx(short, 'max-md:order-5 max-md:text-muted md:max-w-30', user && 'max-md:hidden')}>
        <span title={carrier}>
          {carrier}
          {!trunk && <span className="md:hidden"> carrier</span>}
        </span>
      </Td>
      <Td className="max-md:order-2 max-md:justify-self-end max-md:p-0 md:px-2">
        <Badge tone={state.tone}>{state.label}</Badge>
      </Td>
      <Td className={cx(short, 'max-md:order-5 md:max-w-28', !user && 'max-md:hidden')}>
        {user ? (
          // Above the link that covers the row.
          <UserLink
            user={user}
            preload={false}
            title={user.username}
            className="relative underline decoration-line underline-offset-4 hover:decoration-current"
          />
        ) : (
          <None />
        )}
      </Td>
      <Td numeric className="max-md:order-4 max-md:p-0 md:px-2">
        {formatExactMoney(number.monthly)}
        <span className="text-muted md:hidden"> a month</span>
      </Td>
      <Td numeric className={onlyWide}>
        {number.price === 0 ? 'Free' : formatExactMoney(number.price)}
      </Td>
      <Td numeric title={usageSentence(usage)} className={onlyWide}>
        {usageWords(usage)}
      </Td>
      <Td
        numeric
        className={cx(
          'max-md:order-6 max-md:p-0 md:px-2',
          usage.margin < 0 && (user ? 'text-danger' : 'text-muted'),
        )}
      >
        {formatSignedCost(usage.margin)}
        <span className="text-muted md:hidden"> margin</span>
      </Td>
      <Td className={cx(short, 'max-md:hidden md:max-w-28 md:pr-4')} title={number.tags.join(', ')}>
        {number.tags.join(', ') || <None />}
      </Td>
    </Tr>
  )
}

const None = () => <span className="text-muted">–</span>

export const NumberTableSkeleton = () => (
  <SkeletonTable
    rows={12}
    className="h-9 max-md:h-24"
    parts={['w-32', 'w-24 max-md:hidden', 'w-24 max-md:hidden', 'w-20 max-md:hidden', 'ml-auto w-20']}
  />
)
