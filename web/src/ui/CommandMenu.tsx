import { Command } from 'cmdk'
import type { LucideIcon } from 'lucide-react'
import * as Radix from 'radix-ui/dialog'

export type CommandItem = {
  /** Where labels alone do not tell them apart. */
  id?: string | undefined
  label: string
  icon: LucideIcon
  /** Further words one might search for it by. */
  keywords?: readonly string[] | undefined
  /** What it would change, or where it leads. */
  hint?: string | undefined
  onSelect: () => void
}
export type CommandGroup = { heading: string; items: readonly CommandItem[] }

type CommandMenuProps = {
  label: string
  placeholder: string
  /** What to say when nothing fits. */
  empty: string
  groups: readonly CommandGroup[]
  search: string
  onSearchChange: (search: string) => void
  onClose: () => void
}

/** Everything one can do, found by typing. Arrow keys choose, Enter does it, Escape leaves. */
export function CommandMenu({
  label,
  placeholder,
  empty,
  groups,
  search,
  onSearchChange,
  onClose,
}: CommandMenuProps) {
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-x-4 top-4 z-40 mx-auto max-w-xl animate-rise overflow-hidden rounded-xl border bg-surface text-ink shadow-far outline-none sm:top-[14vh]"
        >
          <Radix.Title className="sr-only">{label}</Radix.Title>
          <Command label={label} loop>
            <Command.Input
              value={search}
              onValueChange={onSearchChange}
              placeholder={placeholder}
              className="h-13 w-full border-b bg-transparent px-5 text-base text-ink outline-none placeholder:text-faint max-sm:text-[1rem]"
            />
            <Command.List
              label={label}
              className="max-h-[min(24rem,60dvh)] scroll-py-2 overflow-y-auto px-2 py-2"
            >
              <Command.Empty className="px-3 py-8 text-center text-muted text-sm">{empty}</Command.Empty>
              {groups.map(({ heading, items }) => (
                <Command.Group
                  key={heading}
                  heading={heading}
                  className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1.5 [&_[cmdk-group-heading]]:engraved [&_[cmdk-group-heading]]:text-muted"
                >
                  {items.map(({ label: name, id = name, icon: Icon, keywords = [], hint, onSelect }) => (
                    <Command.Item
                      key={id}
                      value={id}
                      keywords={[name, ...keywords]}
                      onSelect={onSelect}
                      className="flex h-10 cursor-pointer items-center gap-3 rounded-md px-3 text-muted data-[selected=true]:bg-ink/7 data-[selected=true]:text-ink"
                    >
                      <Icon aria-hidden className="size-4.5 shrink-0" />
                      <span className="min-w-0 truncate text-ink">{name}</span>
                      {hint && (
                        <span className="figures ml-auto min-w-0 truncate pl-4 text-muted text-sm">
                          {hint}
                        </span>
                      )}
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
