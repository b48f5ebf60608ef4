import { ArrowDown, ArrowUp } from 'lucide-react'
import { Button } from '../../../ui/Button.tsx'

type MoveButtonsProps<Entry> = {
  list: readonly Entry[]
  at: number
  /** Names the entry, such as "rule 2". */
  name: string
  size?: 'sm'
  onChange: (list: Entry[]) => void
}

/** Move an entry of an ordered list up or down. */
export function MoveButtons<Entry>({ list, at, name, size, onChange }: MoveButtonsProps<Entry>) {
  const swap = (first: number) =>
    onChange(list.toSpliced(first, 2, ...list.slice(first, first + 2).reverse()))
  return (
    <>
      <Button size={size} aria-label={`Move ${name} up`} disabled={at === 0} onClick={() => swap(at - 1)}>
        <ArrowUp aria-hidden />
      </Button>
      <Button
        size={size}
        aria-label={`Move ${name} down`}
        disabled={at === list.length - 1}
        onClick={() => swap(at)}
      >
        <ArrowDown aria-hidden />
      </Button>
    </>
  )
}
