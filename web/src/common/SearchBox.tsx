import type { ComponentProps } from 'react'
import { SearchInput } from '../ui/SearchInput.tsx'
import { useDebouncedInput } from './use-debounced-input.ts'

type SearchBoxProps = Omit<ComponentProps<typeof SearchInput>, 'value' | 'onValueChange'> & {
  text: string | undefined
  /** Called when typing pauses; undefined for an empty field. */
  onSearch: (text: string | undefined) => void
}

/** A search field for a list. */
export function SearchBox({ text, onSearch, ...rest }: SearchBoxProps) {
  const [typed, setTyped] = useDebouncedInput(text ?? '', (next) => onSearch(next || undefined))
  return <SearchInput value={typed} onValueChange={setTyped} {...rest} />
}
