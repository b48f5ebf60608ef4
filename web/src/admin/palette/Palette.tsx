import { useState } from 'react'
import { CommandMenu } from '../../ui/CommandMenu.tsx'
import { useCommands } from './use-commands.ts'

export function Palette({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState('')
  return (
    <CommandMenu
      label="Command palette"
      placeholder="Search or jump to…"
      empty="No results. Try another word, a number or a name."
      groups={useCommands(search, onClose)}
      search={search}
      onSearchChange={setSearch}
      onClose={onClose}
    />
  )
}
