import { kindName } from '@trunkline/domain/flows'
import { useState } from 'react'
import { CommandMenu } from '../../ui/CommandMenu.tsx'
import { kindIcons } from './icons.ts'
import type { Editor } from './use-editor.ts'
import { kindGroups, kindWords } from './words.ts'

/** The palette of steps. */
export function AddStep({ editor }: { editor: Editor }) {
  const [search, setSearch] = useState('')
  return (
    <CommandMenu
      label="Add a step"
      placeholder="Search steps…"
      empty="No matching steps"
      groups={kindGroups.map(({ heading, kinds }) => ({
        heading,
        items: kinds.map((kind) => ({
          label: kindName(kind),
          hint: kindWords[kind].about,
          keywords: [kindWords[kind].about, ...kindWords[kind].keywords],
          icon: kindIcons[kind],
          onSelect: () => editor.add(kind),
        })),
      }))}
      search={search}
      onSearchChange={setSearch}
      onClose={() => editor.ask(null)}
    />
  )
}
