import * as Radix from 'radix-ui/dialog'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { type CommandGroup, type CommandItem, fittingGroups } from './command-fit.ts'

type CommandMenuProps = {
  label: string
  placeholder: string
  /** Shown without results. */
  empty: string
  /** Shown below the results, for example while a search runs. */
  status?: ReactNode
  groups: readonly CommandGroup[]
  search: string
  onSearchChange: (search: string) => void
  /** Enter was pressed before the menu opened. */
  isEntered?: boolean
  onClose: () => void
}

const idOf = ({ id, label }: CommandItem): string => id ?? label

/**
 * A command palette. Arrow keys select, Enter runs, Escape closes. The first result is selected by default.
 */
export function CommandMenu({
  label,
  placeholder,
  empty,
  status,
  groups,
  search,
  onSearchChange,
  isEntered = false,
  onClose,
}: CommandMenuProps) {
  const [wish, setWish] = useState<string | null>(null)
  const listId = useId()
  const shown = fittingGroups(groups, search)
  const items = shown.flatMap((group) => group.items)
  const chosen = items.find((item) => idOf(item) === wish) ?? items[0]
  const chosenOption = useRef<HTMLButtonElement>(null)
  const chosenId = chosen && idOf(chosen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one chosen is what it has to come into view for.
  useEffect(() => {
    chosenOption.current?.scrollIntoView({ block: 'nearest' })
  }, [chosenId])

  const enter = useEffectEvent(() => chosen?.onSelect())
  useEffect(() => {
    if (isEntered) enter()
  }, [isEntered])

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter may confirm an input method composition.
    if (event.nativeEvent.isComposing || !chosen) return
    const at = items.indexOf(chosen)
    const target = {
      ArrowDown: items[(at + 1) % items.length],
      ArrowUp: items.at(at - 1),
      Home: items[0],
      End: items.at(-1),
    }[event.key]
    if (target) setWish(idOf(target))
    if (event.key === 'Enter') chosen.onSelect()
    if (target || event.key === 'Enter') event.preventDefault()
  }

  const optionId = (item: CommandItem) => `${listId}-${items.indexOf(item)}`
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-x-4 top-4 z-40 mx-auto max-w-xl animate-rise overflow-hidden rounded-xl border bg-surface text-ink shadow-far outline-none sm:top-[14vh]"
        >
          <Radix.Title className="sr-only">{label}</Radix.Title>
          <input
            // biome-ignore lint/a11y/noAutofocus: the dialog focuses it in a later effect, and keys before it would be lost
            autoFocus
            role="combobox"
            aria-label={label}
            aria-expanded
            aria-autocomplete="list"
            aria-controls={listId}
            aria-activedescendant={chosen && optionId(chosen)}
            autoComplete="off"
            spellCheck={false}
            value={search}
            onChange={({ target }) => {
              setWish(null)
              onSearchChange(target.value)
            }}
            onKeyDown={onKeyDown}
            placeholder={placeholder}
            className="h-13 w-full border-b bg-transparent px-5 text-base text-ink outline-none placeholder:text-faint max-sm:text-[1rem]"
          />
          <div
            id={listId}
            role="listbox"
            aria-label={label}
            tabIndex={-1}
            className="max-h-[min(24rem,60dvh)] scroll-py-2 overflow-y-auto px-2 py-2"
          >
            {shown.map((group) => (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset may not stand in a list box.
              <div key={group.heading} role="group" aria-label={group.heading}>
                <div aria-hidden className="engraved px-3 pt-3 pb-1.5 text-muted">
                  {group.heading}
                </div>
                {group.items.map((item) => (
                  <Option
                    key={idOf(item)}
                    item={item}
                    id={optionId(item)}
                    isChosen={item === chosen}
                    ref={item === chosen ? chosenOption : null}
                    onPoint={() => setWish(idOf(item))}
                  />
                ))}
              </div>
            ))}
          </div>
          {items.length === 0 && !status && (
            <p className="px-5 pt-6 pb-10 text-center text-muted text-sm">{empty}</p>
          )}
          <div role="status" className="px-5 text-muted text-sm not-empty:border-t not-empty:py-2.5">
            {status}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type OptionProps = {
  item: CommandItem
  id: string
  isChosen: boolean
  ref: Ref<HTMLButtonElement>
  onPoint: () => void
}

function Option({ item: { label, icon: Icon, hint, onSelect }, id, isChosen, ref, onPoint }: OptionProps) {
  return (
    <button
      type="button"
      ref={ref}
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      // Ignores a pointer that does not move while the list changes.
      onPointerMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && onPoint()}
      onMouseDown={(event) => event.preventDefault()} // the input keeps the focus
      onClick={onSelect}
      className="flex min-h-10 w-full cursor-pointer items-center gap-3 rounded-md px-3 py-1 text-left text-muted aria-selected:bg-ink/7 aria-selected:text-ink"
    >
      <Icon aria-hidden className="size-4.5 shrink-0" />
      {/* A phone has no room for both in one line. */}
      <span className="flex min-w-0 flex-1 sm:items-center max-sm:flex-col">
        <span className="min-w-0 truncate text-ink">{label}</span>
        {hint && (
          <span className="figures min-w-0 truncate text-muted text-sm sm:ml-auto sm:shrink-999 sm:pl-4">
            {hint}
          </span>
        )}
      </span>
    </button>
  )
}
