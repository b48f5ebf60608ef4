import { useQuery } from '@tanstack/react-query'
import type { AdminUser } from '@trunkline/contract/admin-users'
import { messages } from '@trunkline/contract/messages'
import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { explain } from '../../app/api.ts'
import { formatMoney } from '../../common/format/money.ts'
import { useDebouncedInput } from '../../common/use-debounced-input.ts'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { usersQuery } from './queries.ts'

export type PickedUser = Pick<AdminUser, 'id' | 'username'> & Partial<AdminUser>

type UserPickerProps = {
  picked: PickedUser | null
  onPick: (user: AdminUser | null) => void
  label?: string
  error?: string | undefined
  optional?: boolean
}

const SHOWN = 8

/** Finds a user by part of a name, email address or company. */
export function UserPicker({ picked, onPick, label = 'User', error, optional }: UserPickerProps) {
  const wasPicked = useRef(picked !== null)
  const input = useRef<HTMLInputElement>(null)

  // The button that had the focus is gone.
  useEffect(() => {
    if (wasPicked.current && picked === null) input.current?.focus()
    wasPicked.current = picked !== null
  }, [picked])

  if (picked) return <Picked label={label} picked={picked} onClear={() => onPick(null)} />
  return <Finder label={label} error={error} optional={optional} input={input} onPick={onPick} />
}

function Picked({ label, picked, onClear }: { label: string; picked: PickedUser; onClear: () => void }) {
  return (
    <div>
      <p className="mb-1.5 font-medium text-sm">{label}</p>
      <div className="flex h-10 items-center gap-3 rounded-md border border-edge bg-raised pr-1 pl-3 shadow-near">
        <span className="min-w-0 truncate font-medium">{picked.username}</span>
        <span className="figures min-w-0 truncate text-muted text-sm">
          {picked.email ?? picked.company ?? `User ${picked.id}`}
        </span>
        <button
          type="button"
          aria-label={`Choose a user other than ${picked.username}`}
          title="Choose another user"
          onClick={onClear}
          className="ml-auto grid size-8 shrink-0 place-items-center rounded-sm text-muted hover:bg-ink/6 hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      </div>
    </div>
  )
}

type FinderProps = Omit<UserPickerProps, 'picked'> & { input: React.RefObject<HTMLInputElement | null> }

function Finder({ label, error, optional, input, onPick }: FinderProps) {
  const list = useId()
  const [search, setSearch] = useState('')
  const [typed, type] = useDebouncedInput(search, setSearch)
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const found = useQuery({ ...usersQuery({ search, sort: 'name', limit: SHOWN }), enabled: search !== '' })
  // Enter must not pick a user of an earlier search.
  const isCurrent = typed.trim() === search && !found.isPlaceholderData
  const users = search !== '' && isCurrent ? (found.data?.users ?? []) : []
  const isListed = isOpen && search !== ''
  const optionId = (id: number) => `${list}-${id}`
  const active = isListed ? users[at] : undefined

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && users.length > 0) {
      event.preventDefault()
      setOpen(true)
      setAt((at + step + users.length) % users.length)
    } else if (event.key === 'Enter' && isListed) {
      event.preventDefault()
      if (active) onPick(active)
    } else if (event.key === 'Escape' && isListed) {
      setOpen(false)
    }
  }

  return (
    <div className="relative">
      <Field label={label} error={error} optional={optional}>
        <Input
          ref={input}
          name="user"
          role="combobox"
          aria-expanded={isListed}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={active && optionId(active.id)}
          data-uses-escape={isListed || undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder="Name, email, company or ID"
          value={typed}
          onChange={(event) => {
            type(event.target.value)
            setOpen(true)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
        />
      </Field>
      <div
        className={cx(
          'absolute inset-x-0 top-full z-30 mt-1 max-h-72 overflow-y-auto rounded-md border bg-raised py-1 shadow-far',
          !isListed && 'hidden',
        )}
      >
        <div id={list} role="listbox" aria-label={label}>
          {users.map((user, index) => (
            <div
              key={user.id}
              id={optionId(user.id)}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              // Fires before the field loses focus and the list closes.
              onMouseDown={(event) => {
                event.preventDefault()
                onPick(user)
              }}
              onMouseEnter={() => setAt(index)}
              className={cx('flex cursor-pointer items-baseline gap-3 px-3 py-2', index === at && 'bg-ink/7')}
            >
              <span className="min-w-0 truncate font-medium">{user.username}</span>
              <span className="min-w-0 flex-1 truncate text-muted text-sm">{user.email ?? user.company}</span>
              <span className="figures shrink-0 text-muted text-sm">{formatMoney(user.bal)}</span>
            </div>
          ))}
        </div>
        {users.length === 0 && (
          <p role="status" className="px-3 py-2 text-muted text-sm">
            {found.isError
              ? explain(found.error, messages.usersFailed)
              : found.isFetching || !isCurrent
                ? 'Searching…'
                : 'No users found.'}
          </p>
        )}
      </div>
    </div>
  )
}
