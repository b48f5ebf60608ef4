import { Link } from '@tanstack/react-router'
import type { AdminNumber } from '@trunkline/contract/numbers'
import { formatExactMoney, formatSignedCost } from '../../common/format/money.ts'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { BlockTable } from '../../ui/BlockTable.tsx'
import { cx } from '../../ui/cx.ts'
import { SkeletonTable } from '../../ui/Skeleton.tsx'
import { Td, Th, Tr } from '../../ui/Table.tsx'
import type { NumbersSearch } from './search.ts'
import { stateOf, typeWords, usageSentence, usageWords } from './words.ts'

type NumberTableProps = { numbers: readonly AdminNumber[]; isOld: boolean; search: NumbersSearch }

export const NumberTable = ({ numbers, isOld, search }: NumberTableProps) => (
  <BlockTable
    caption="Numbers. Select one for details and actions. Usage and margin are of the last 30 days."
    isOld={isOld}
    heads={
      <>
        <Th className="md:pl-4">Number</Th>
        <Th>Country</Th>
        <Th>Area</Th>
        <Th>Type</Th>
        <Th>Carrier</Th>
        <Th>Status</Th>
        <Th>Customer</Th>
        <Th numeric>Month</Th>
        <Th numeric>Minute</Th>
        <Th numeric>Usage</Th>
        <Th numeric>Margin</Th>
        <Th className="md:pr-4">Tags</Th>
      </>
    }
  >
    {numbers.map((number) => (
      <NumberRow key={number.id} number={number} search={search} />
    ))}
  </BlockTable>
)

/** A cell that keeps the row on one line. */
const short = 'md:truncate max-md:min-w-0 max-md:p-0 max-md:break-words'

function NumberRow({ number, search }: { number: AdminNumber; search: NumbersSearch }) {
  const state = stateOf(number)
  return (
    // The link of the first cell covers the whole row.
    <Tr
      className={cx(
        'relative max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-1 max-md:px-4 max-md:py-3.5',
        search.number === number.id && 'bg-signal-soft/60',
      )}
    >
      <Td className="figures whitespace-nowrap font-medium max-md:order-1 max-md:p-0 md:pl-4">
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
      <Td className={cx(short, 'max-md:order-3 md:max-w-28')} title={number.country}>
        {number.country}
        <span className="text-muted md:hidden">
          {[number.area && ` · ${number.area}`, ` · ${typeWords[number.type]}`].filter(Boolean).join('')}
        </span>
      </Td>
      <Td className={cx(short, 'max-md:hidden md:max-w-28')} title={number.area}>
        {number.area || <None />}
      </Td>
      <Td className="whitespace-nowrap max-md:hidden">{typeWords[number.type]}</Td>
      <Td className={cx(short, 'max-md:order-7 max-md:text-muted max-md:text-sm md:max-w-28')}>
        <span title={number.trunk?.name}>{number.trunk?.name ?? 'Any'}</span>
        <span className="md:hidden">{number.trunk ? '' : ' carrier'}</span>
      </Td>
      <Td className="max-md:order-2 max-md:justify-self-end max-md:p-0">
        <Badge tone={state.tone}>{state.label}</Badge>
      </Td>
      <Td
        className={cx(
          short,
          'max-md:order-5 max-md:empty:hidden md:max-w-28',
          !number.user && 'max-md:hidden',
        )}
      >
        {number.user ? (
          // Above the link that covers the row.
          <Link
            to="/admin-panal/users/$id"
            params={{ id: String(number.user.id) }}
            preload={false}
            title={number.user.username}
            className="relative underline decoration-line underline-offset-4 hover:decoration-current"
          >
            {number.user.username}
          </Link>
        ) : (
          <None />
        )}
      </Td>
      <Td numeric className="max-md:order-4 max-md:p-0">
        {formatExactMoney(number.monthly)}
        <span className="text-muted md:hidden"> a month</span>
      </Td>
      <Td numeric className={cx('max-md:order-6 max-md:p-0', !number.user && 'max-md:col-start-2')}>
        {number.price === 0 ? 'Free' : formatExactMoney(number.price)}
        <span className="text-muted md:hidden"> {number.price === 0 ? 'calls' : 'a minute'}</span>
      </Td>
      <Td
        numeric
        title={usageSentence(number.usage)}
        className="max-md:order-8 max-md:p-0 max-md:text-muted max-md:text-sm"
      >
        {usageWords(number.usage)}
        <span className="md:hidden">{number.usage.calls === 0 ? ' in 30 days' : ''}</span>
      </Td>
      <Td
        numeric
        className={cx(
          'max-md:order-9 max-md:p-0 max-md:text-left max-md:text-sm',
          number.usage.margin < 0 && 'text-danger',
        )}
      >
        {formatSignedCost(number.usage.margin)}
        <span className="text-muted md:hidden"> margin</span>
      </Td>
      <Td
        className={cx(
          short,
          'max-md:order-10 max-md:justify-self-end max-md:text-sm md:max-w-28 md:pr-4',
          number.tags.length === 0 && 'max-md:hidden',
        )}
        title={number.tags.join(', ')}
      >
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
