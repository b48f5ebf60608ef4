import type { ComponentProps } from 'react'
import { Input } from '../ui/Input.tsx'
import { useDebouncedInput } from './use-debounced-input.ts'

type DebouncedInputProps = Omit<ComponentProps<typeof Input>, 'value' | 'onChange'> & {
  text: string | undefined
  /** Called when typing pauses; undefined for an empty field. */
  onType: (text: string | undefined) => void
}

/** A text field that filters a list. */
export function DebouncedInput({ text, onType, ...rest }: DebouncedInputProps) {
  const [typed, setTyped] = useDebouncedInput(text ?? '', (next) => onType(next || undefined))
  return (
    <Input autoComplete="off" value={typed} onChange={({ target }) => setTyped(target.value)} {...rest} />
  )
}
