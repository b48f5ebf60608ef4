import { useState } from 'react'
import { CommandMenu } from '../../ui/CommandMenu.tsx'
import { useCommands } from './use-commands.ts'

export function Palette({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState('')
  return (
    <CommandMenu
      label="Search or jump to"
      placeholder="Search or jump to…"
      empty="No matching results. Try another word, or a number from your calls."
      groups={useCommands(search, onClose)}
      search={search}
      onSearchChange={setSearch}
      onClose={onClose}
    />
  )
}
