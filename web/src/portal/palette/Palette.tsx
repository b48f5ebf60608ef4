import { useState } from 'react'
import type { TypedAhead } from '../../common/use-typed-ahead.ts'
import { CommandMenu } from '../../ui/CommandMenu.tsx'
import { useCommands } from './use-commands.ts'

type PaletteProps = { typed: TypedAhead; onClose: () => void }

export function Palette({ typed, onClose }: PaletteProps) {
  const [search, setSearch] = useState(typed.text)
  return (
    <CommandMenu
      label="Search or jump to"
      placeholder="Search or jump to…"
      empty="No matching results. Try another word, or a number from your calls."
      groups={useCommands(search, onClose)}
      search={search}
      onSearchChange={setSearch}
      isEntered={typed.isEntered}
      onClose={onClose}
    />
  )
}
