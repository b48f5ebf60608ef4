import { useQuery } from '@tanstack/react-query'
import { NUMBER_LABEL_MAX } from '@trunkline/contract/limits'
import { type NumberStatus, type NumberType, numberStatuses, numberTypes } from '@trunkline/domain/ringing'
import { useId, useState } from 'react'
import { withoutGaps } from '../../common/address.ts'
import { DebouncedInput } from '../../common/DebouncedInput.tsx'
import { FilterButton } from '../../common/FilterButton.tsx'
import { FiltersInUse } from '../../common/FiltersInUse.tsx'
import { numberTypeWords } from '../../common/number-types.ts'
import { SearchBox } from '../../common/SearchBox.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { CountryCodeSelect } from '../CountryCodeSelect.tsx'
import { trunksQuery } from '../trunks/queries.ts'
import { userQuery } from '../users/queries.ts'
import { UserPicker } from '../users/UserPicker.tsx'
import { describeFilters, type NumbersSearch, type Selection } from './search.ts'
import { statusWords } from './words.ts'

type ToolbarProps = { selection: Selection; onSelect: (next: NumbersSearch, replace?: boolean) => void }

export function Toolbar({ selection, onSelect }: ToolbarProps) {
  const { search, ...filters } = selection
  const [isOpen, setOpen] = useState(false)
  const panel = useId()
  const names = useNames(selection)
  const choose = (change: { [Name in keyof Selection]?: Selection[Name] | undefined }, replace = false) =>
    onSelect(withoutGaps({ ...selection, ...change }), replace)
  return (
    <div className="mb-3 flex flex-col gap-3">
      <div className="flex gap-2">
        <SearchBox
          label="Search numbers"
          placeholder="Number, area, tag or customer"
          maxLength={NUMBER_LABEL_MAX}
          className="min-w-0 flex-1 sm:max-w-md"
          text={search}
          onSearch={(text) => choose({ search: text }, true)}
        />
        <FilterButton
          count={Object.keys(filters).length}
          isOpen={isOpen}
          panel={panel}
          onToggle={() => setOpen(!isOpen)}
        />
      </div>
      {isOpen && (
        <div id={panel} className="grid grid-cols-2 items-start gap-3 md:grid-cols-3 xl:grid-cols-6">
          <FilterFields selection={selection} username={names.user} onChoose={choose} />
        </div>
      )}
      <FiltersInUse
        filters={describeFilters(filters, names).map(({ text, without }) => ({
          text,
          without: search ? { ...without, search } : without,
        }))}
        onSelect={onSelect}
      >
        <Button size="sm" variant="ghost" onClick={() => onSelect(search ? { search } : {})}>
          Clear all
        </Button>
      </FiltersInUse>
    </div>
  )
}

type FilterFieldsProps = {
  selection: Selection
  username: string | undefined
  onChoose: (change: { [Name in keyof Selection]?: Selection[Name] | undefined }) => void
}

function FilterFields({ selection, username, onChoose }: FilterFieldsProps) {
  const trunks = useQuery(trunksQuery).data
  return (
    <>
      <Field label="Status">
        <Select
          value={selection.status ?? ''}
          onChange={({ target }) =>
            onChoose({ status: (target.value || undefined) as NumberStatus | undefined })
          }
        >
          <option value="">Any</option>
          <Options of={numberStatuses.map((status) => [status, statusWords[status].label])} />
        </Select>
      </Field>
      <Field label="Country">
        <CountryCodeSelect
          none="Any"
          value={selection.country ?? ''}
          onChange={({ target }) => onChoose({ country: target.value || undefined })}
        />
      </Field>
      <Field label="Type">
        <Select
          value={selection.type ?? ''}
          onChange={({ target }) => onChoose({ type: (target.value || undefined) as NumberType | undefined })}
        >
          <option value="">Any</option>
          <Options of={numberTypes.map((type) => [type, numberTypeWords[type]])} />
        </Select>
      </Field>
      <Field label="Carrier">
        <Select
          value={selection.trunk ?? ''}
          onChange={({ target }) => onChoose({ trunk: Number(target.value) || undefined })}
        >
          <option value="">Any</option>
          <Options of={trunks?.map(({ id, name }) => [id, name])} />
        </Select>
      </Field>
      <Field label="Tag">
        <DebouncedInput text={selection.tag} onType={(tag) => onChoose({ tag })} />
      </Field>
      <UserPicker
        label="Customer"
        picked={
          selection.user === undefined
            ? null
            : { id: selection.user, username: username ?? String(selection.user) }
        }
        onPick={(user) => onChoose({ user: user?.id })}
      />
    </>
  )
}

/** The names of the carrier and the customer that are filtered by. */
function useNames({ trunk, user }: Selection) {
  const trunks = useQuery({ ...trunksQuery, enabled: trunk !== undefined }).data
  const account = useQuery({ ...userQuery(user ?? 0), enabled: user !== undefined, refetchInterval: false })
  return {
    trunk: trunks?.find(({ id }) => id === trunk)?.name,
    user: user === undefined ? undefined : account.data?.user.username,
  }
}
