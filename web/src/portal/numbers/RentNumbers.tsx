import { useInfiniteQuery } from '@tanstack/react-query'
import type { AvailableNumber } from '@trunkline/contract/numbers'
import { numberTypes } from '@trunkline/domain/ringing'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { DebouncedInput } from '../../common/DebouncedInput.tsx'
import { formatExactMoney, formatRate } from '../../common/format/money.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { numberTypeWords } from '../../common/number-types.ts'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { MoreBelow } from '../../common/ShowMore.tsx'
import { BlockTable, headCells, hidden, numeric } from '../../ui/BlockTable.tsx'
import { Button, inRowClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Field } from '../../ui/Field.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { SkeletonList } from '../../ui/Skeleton.tsx'
import { Td, Tr } from '../../ui/Table.tsx'
import { CountryCodePlate } from '../trunks/CountryCard.tsx'
import { availableQuery } from './queries.ts'
import { RentDialog } from './RentDialog.tsx'
import { type AvailableFilter, digitsIn } from './search.ts'
import { monthlyWords, showNumber } from './words.ts'

type RentNumbersProps = { filter: AvailableFilter; onFilter: (filter: AvailableFilter) => void }

/** Searches the numbers that the provider offers. */
export function RentNumbers({ filter, onFilter }: RentNumbersProps) {
  const query = useInfiniteQuery(availableQuery(filter))
  const [renting, setRenting] = useState<AvailableNumber | null>(null)
  const isFiltered = Object.keys(filter).length > 0
  const countries = query.data?.pages[0]?.countries ?? []
  return (
    <Card aria-label="Rent a number" className="p-0" aria-busy={query.isPending || query.isPlaceholderData}>
      <h3 className="px-5 pt-5 pb-3 font-semibold text-lg tracking-tight">Rent a number</h3>
      <Filters filter={filter} onFilter={onFilter} countries={countries} />
      <Loaded
        query={query}
        failed="The available numbers could not be loaded."
        className="m-5"
        waiting={
          <SkeletonList
            rows={5}
            className="h-12 items-center gap-6 px-5"
            parts={['w-40', 'w-32 max-md:hidden', 'ml-auto w-20']}
          />
        }
      >
        {({ pages }) => {
          const numbers = pages.flatMap((page) => page.numbers)
          if (numbers.length > 0)
            return (
              <>
                <List numbers={numbers} isOld={query.isPlaceholderData} onRent={setRenting} />
                <MoreBelow query={query} />
              </>
            )
          return isFiltered ? (
            <EmptyState
              icon={<Search />}
              title="No matching numbers"
              text="No available number matches your search. Try fewer digits or another area."
              action={<Button onClick={() => onFilter({})}>Show all numbers</Button>}
            />
          ) : (
            <EmptyState
              title="No numbers available"
              text="Your provider has no numbers to rent right now. Open a ticket if you need one."
            />
          )
        }}
      </Loaded>
      {renting && <RentDialog number={renting} onNumber={setRenting} onClose={() => setRenting(null)} />}
    </Card>
  )
}

type FiltersProps = RentNumbersProps & { countries: { code: string; name: string; count: number }[] }

function Filters({ filter, onFilter, countries }: FiltersProps) {
  const change = (part: Partial<Record<keyof AvailableFilter, string | undefined>>) =>
    onFilter(
      Object.fromEntries(
        Object.entries({ ...filter, ...part }).filter(([, value]) => value),
      ) as AvailableFilter,
    )
  return (
    <search className="grid grid-cols-2 gap-3 border-b px-5 pb-5 lg:grid-cols-4">
      <Field label="Country" className="max-sm:col-span-2">
        <Select value={filter.country ?? ''} onChange={({ target }) => change({ country: target.value })}>
          <option value="">All countries</option>
          <Options of={countries.map(({ code, name, count }) => [code, `${name} (${count})`])} />
        </Select>
      </Field>
      <Field label="Type" className="max-sm:col-span-2">
        <Select value={filter.type ?? ''} onChange={({ target }) => change({ type: target.value })}>
          <option value="">All types</option>
          <Options of={numberTypes.map((type) => [type, numberTypeWords[type]])} />
        </Select>
      </Field>
      <Field label="Area">
        <DebouncedInput
          maxLength={100}
          placeholder="London"
          text={filter.area}
          onType={(area) => change({ area })}
        />
      </Field>
      <Field label="Digits">
        <DebouncedInput
          maxLength={16}
          inputMode="tel"
          placeholder="2079"
          className="figures"
          text={filter.digits}
          onType={(digits = '') => change({ digits: digitsIn(digits) })}
        />
      </Field>
    </search>
  )
}

type ListProps = {
  numbers: readonly AvailableNumber[]
  isOld: boolean
  onRent: (number: AvailableNumber) => void
}

const List = ({ numbers, isOld, onRent }: ListProps) => (
  <BlockTable
    caption="Available numbers"
    isOld={isOld}
    heads={headCells(
      ['Number', 'Area', 'Type', numeric('Rent'), numeric('Set-up'), numeric('Incoming'), hidden('Rent')],
      'md:first:pl-5 md:last:pr-5',
    )}
  >
    {numbers.map((number) => (
      <Row key={number.id} number={number} onRent={() => onRent(number)} />
    ))}
  </BlockTable>
)

function Row({ number, onRent }: { number: AvailableNumber; onRent: () => void }) {
  const { area, country, country_code, type, monthly, setup, price } = number
  const inBlock = 'max-md:p-0 max-md:text-muted max-md:text-xs'
  return (
    <Tr className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:items-center max-md:gap-x-4 max-md:gap-y-0.5 max-md:px-5 max-md:py-3">
      <Td className="max-md:p-0 md:pl-5">
        <span className="flex items-center gap-2.5">
          <CountryCodePlate code={country_code} />
          <span className="figures font-medium max-md:text-base">
            <PhoneNumber of={number.number} />
          </span>
        </span>
      </Td>
      <Td className={cx(inBlock, 'max-md:order-2')}>
        {area && `${area}, `}
        <span className="text-muted">{country}</span>
        <span className="md:hidden">, {numberTypeWords[type].toLowerCase()}</span>
      </Td>
      <Td className="max-md:hidden">{numberTypeWords[type]}</Td>
      <Td numeric className="max-md:order-3 max-md:col-span-2 max-md:p-0 max-md:text-left">
        <span className="font-medium">{monthlyWords(monthly)}</span>
        <span className="text-muted text-xs md:hidden">
          {' '}
          · {setup === 0 ? 'no set-up fee' : `set-up ${formatExactMoney(setup)}`} · incoming{' '}
          {formatRate(price)}
        </span>
      </Td>
      <Td numeric className="max-md:hidden">
        {setup === 0 ? 'Free' : formatExactMoney(setup)}
      </Td>
      <Td numeric className="max-md:hidden">
        {formatRate(price)}
      </Td>
      <Td className="text-right max-md:order-1 max-md:p-0 md:pr-5">
        <Button
          size="sm"
          className={inRowClass}
          aria-label={`Rent ${showNumber(number.number)}`}
          onClick={onRent}
        >
          Rent
        </Button>
      </Td>
    </Tr>
  )
}
