import { type ComponentProps, createContext, type KeyboardEvent, use, useId, useState } from 'react'
import { cx } from './cx.ts'

/*
 * The tabs pattern of the ARIA authoring guide. The login page uses it; the version of Radix would add 9 kB
 * instead of 1.
 */
type TabsState = { value: string; select: (value: string) => void; baseId: string }
const TabsContext = createContext<TabsState>({ value: '', select: () => {}, baseId: '' })

/** An id cannot have spaces. */
const idOf = ({ baseId }: TabsState, part: 'tab' | 'panel', value: string) =>
  `${baseId}-${part}-${value.replace(/\W+/g, '-')}`

type TabsProps = {
  value?: string
  defaultValue?: string
  onValueChange?: (value: string) => void
} & Omit<ComponentProps<'div'>, 'defaultValue'>

/** `value` and `onValueChange`, or `defaultValue` alone. */
export function Tabs({ value, defaultValue = '', onValueChange, ...rest }: TabsProps) {
  const baseId = useId()
  const [ownValue, setOwnValue] = useState(defaultValue)
  const select = (next: string) => {
    setOwnValue(next)
    onValueChange?.(next)
  }
  return (
    <TabsContext value={{ value: value ?? ownValue, select, baseId }}>
      <div {...rest} />
    </TabsContext>
  )
}

export function TabList({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      role="tablist"
      onKeyDown={moveAlong}
      className={cx('flex gap-1 overflow-x-auto overflow-y-hidden border-b', className)}
      {...rest}
    />
  )
}

/** Arrow keys, Home and End move the focus; a tab opens when it gets the focus. */
function moveAlong(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]:not(:disabled)')]
  const at = tabs.indexOf(event.target as HTMLElement)
  const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }
  const step = steps[event.key]
  const next = step === undefined || at < 0 ? undefined : tabs.at(step % tabs.length)
  if (!next) return
  event.preventDefault()
  next.focus()
  next.click()
}

export function Tab({
  value,
  className,
  onClick,
  ...rest
}: { value: string } & Omit<ComponentProps<'button'>, 'value'>) {
  const tabs = use(TabsContext)
  const isOpen = tabs.value === value
  return (
    <button
      type="button"
      role="tab"
      id={idOf(tabs, 'tab', value)}
      aria-controls={isOpen ? idOf(tabs, 'panel', value) : undefined}
      aria-selected={isOpen}
      data-state={isOpen ? 'active' : 'inactive'}
      tabIndex={isOpen ? 0 : -1}
      onClick={(event) => {
        onClick?.(event)
        tabs.select(value)
      }}
      className={cx(
        'h-10 whitespace-nowrap border-b-2 px-3 font-medium text-sm transition-colors hover:text-ink',
        'focus-visible:-outline-offset-2 disabled:opacity-50',
        isOpen ? 'border-signal-ink text-ink' : 'border-transparent text-muted',
        className,
      )}
      {...rest}
    />
  )
}

/** Rendered only while its tab is open. */
export function TabPanel({ value, className, ...rest }: { value: string } & ComponentProps<'div'>) {
  const tabs = use(TabsContext)
  if (tabs.value !== value) return null
  return (
    <div
      role="tabpanel"
      id={idOf(tabs, 'panel', value)}
      aria-labelledby={idOf(tabs, 'tab', value)}
      className={cx('pt-5', className)}
      {...rest}
    />
  )
}
