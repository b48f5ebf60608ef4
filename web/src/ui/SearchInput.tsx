import { Search, X } from 'lucide-react'
import { type ComponentProps, useRef } from 'react'
import { cx } from './cx.ts'
import { Input } from './Input.tsx'

type SearchInputProps = Omit<ComponentProps<'input'>, 'value' | 'type'> & {
  label: string
  value: string
  onValueChange: (value: string) => void
}

/** A search field. The button and the Escape key clear it. */
export function SearchInput({ label, value, onValueChange, className, ...rest }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={cx('relative', className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
      />
      <Input
        ref={input}
        // Not type="search": its clear button cannot be styled in every browser.
        type="text"
        inputMode="search"
        role="searchbox"
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        className="pr-9 pl-9"
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        data-uses-escape={value !== '' || undefined}
        onKeyDown={(event) => event.key === 'Escape' && onValueChange('')}
        {...rest}
      />
      {value !== '' && (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            onValueChange('')
            input.current?.focus()
          }}
          className="absolute top-1/2 right-1.5 grid size-7 -translate-y-1/2 place-items-center rounded-sm text-muted hover:bg-ink/6 hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  )
}
