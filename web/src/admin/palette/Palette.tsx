import { useState } from 'react'
import type { TypedAhead } from '../../common/use-typed-ahead.ts'
import { Button } from '../../ui/Button.tsx'
import { CommandMenu } from '../../ui/CommandMenu.tsx'
import { useCommands } from './use-commands.ts'
import { useFound } from './use-found.ts'

type PaletteProps = { typed: TypedAhead; onClose: () => void }

export function Palette({ typed, onClose }: PaletteProps) {
  const [search, setSearch] = useState(typed.text)
  const commands = useCommands(search, onClose)
  const { groups, state, retry } = useFound(search, onClose)
  return (
    <CommandMenu
      label="Command palette"
      placeholder="Search or jump to…"
      empty="No results. Try another word, a number or a name."
      status={
        state === 'searching'
          ? 'Searching…'
          : state === 'failed' && (
              <span className="flex items-center justify-between gap-3">
                The search failed.
                <Button size="sm" onClick={retry}>
                  Try again
                </Button>
              </span>
            )
      }
      groups={[...commands, ...groups]}
      search={search}
      onSearchChange={setSearch}
      isEntered={typed.isEntered}
      onClose={onClose}
    />
  )
}
