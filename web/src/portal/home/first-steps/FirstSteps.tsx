import { Link } from '@tanstack/react-router'
import type { User } from '@trunkline/contract/accounts'
import { Check, ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Lamp } from '../../../ui/Lamp.tsx'
import { useOverlay } from '../../overlay.ts'
import { recall, remember } from './memory.ts'
import { isShown, type StepName } from './steps.ts'
import { useDoneSteps } from './use-done-steps.ts'

const steps: { name: StepName; title: string; text: string }[] = [
  { name: 'caller-id', title: 'Set your Caller ID', text: 'The number people see when you call' },
  { name: 'route', title: 'Pick a route', text: 'One for each country you call' },
  { name: 'top-up', title: 'Top up', text: 'Calls are paid from your balance' },
  { name: 'phone', title: 'Connect a phone', text: 'Or a PBX, with step-by-step settings' },
  { name: 'call', title: 'Make your first call', text: 'It appears below when it rings' },
]

/** The setup steps of a new account. Can be dismissed when all are done. */
export function FirstSteps({ user }: { user: User }) {
  const [remembered, setRemembered] = useState(() => recall(user.id))
  const { done, hasFailed } = useDoneSteps(user, remembered !== 'dismissed')
  const isComplete = done !== null && Object.values(done).every(Boolean)
  const isBegun = done !== null && !isComplete

  useEffect(() => {
    if (!isBegun) return
    remember(user.id, 'begun')
    setRemembered('begun')
  }, [isBegun, user.id])

  // Reserves the space while loading, unless the balance suggests that the steps are done. Errors hide the list.
  const isExpected = remembered === 'begun' || (remembered !== 'dismissed' && user.bal === 0)
  if (hasFailed || !(done === null ? isExpected : isShown(isComplete, remembered))) return null

  function dismiss() {
    remember(user.id, 'dismissed')
    setRemembered('dismissed')
  }

  const count = done ? Object.values(done).filter(Boolean).length : 0
  const next = done ? steps.find(({ name }) => !done[name])?.name : undefined
  return (
    <section aria-labelledby="first-steps" aria-busy={done === null} className="card p-0">
      <header className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-2.5">
        <h2 id="first-steps" className="font-semibold text-lg tracking-tight">
          {isComplete ? 'You are ready to call' : 'First steps'}
        </h2>
        {isComplete ? (
          <Button size="sm" onClick={dismiss}>
            Dismiss
          </Button>
        ) : (
          <p role="status" className="figures text-muted text-sm">
            {done ? `${count} of ${steps.length} done` : 'Loading...'}
          </p>
        )}
      </header>
      <ol className="grid border-t max-lg:divide-y lg:grid-cols-5 lg:divide-x">
        {steps.map(({ name, title, text }) => (
          <li key={name} className="flex">
            <StepFrame name={name} isDone={done?.[name] ?? false}>
              <span className="flex items-center gap-2">
                {done?.[name] ? (
                  <Check role="img" aria-label="Done:" className="size-4 shrink-0 text-success" />
                ) : (
                  <Lamp lit={name === next ? 'pending' : 'off'} label="" />
                )}
                <span className={cx('font-medium text-sm', done?.[name] && 'text-muted')}>{title}</span>
              </span>
              <span className="mt-0.5 block pl-6 text-muted text-xs">{text}</span>
            </StepFrame>
          </li>
        ))}
      </ol>
    </section>
  )
}

const frameClass = 'group relative flex-1 px-4 py-3 text-left lg:min-h-19'
const openClass = 'transition-colors hover:bg-ink/4 focus-visible:-outline-offset-2'

/** An open step links to its screen. */
function StepFrame({ name, isDone, children }: { name: StepName; isDone: boolean; children: ReactNode }) {
  const show = useOverlay()
  if (isDone) return <div className={frameClass}>{children}</div>
  const arrow = (
    <ChevronRight
      aria-hidden
      className="absolute top-3.5 right-2.5 size-4 text-muted opacity-0 transition-opacity group-hover:opacity-100 max-lg:opacity-100"
    />
  )
  if (name === 'phone' || name === 'call')
    return (
      <button
        type="button"
        onClick={() => show(name === 'phone' ? 'connect' : 'test-call')}
        className={cx(frameClass, openClass)}
      >
        {children}
        {arrow}
      </button>
    )
  return (
    <Link
      to={name === 'route' ? '/dashboard/trunks' : name === 'top-up' ? '/dashboard/topup' : '/dashboard'}
      hash={name === 'caller-id' ? 'caller-id' : undefined}
      className={cx(frameClass, openClass)}
    >
      {children}
      {arrow}
    </Link>
  )
}
