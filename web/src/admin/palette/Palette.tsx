import { useState } from 'react'
import { CommandMenu } from '../../ui/CommandMenu.tsx'
import { useCommands } from './use-commands.ts'

export function Palette({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState('')
  return (
    <CommandMenu
      label="Go to a tab or do something"
      placeholder="Where to, or what to do?"
      empty="Nothing fits. Try another word, or a number or name to look for."
      groups={useCommands(search, onClose)}
      search={search}
      onSearchChange={setSearch}
      onClose={onClose}
    />
  )
}
