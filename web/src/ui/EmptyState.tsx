import type { ReactNode } from 'react'

type EmptyStateProps = { title: ReactNode; text?: ReactNode; action?: ReactNode; icon?: ReactNode }

/** Shown in place of an empty list. */
export function EmptyState({ title, text, action, icon }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-4 py-10 text-center">
      <div aria-hidden className="mb-4 text-muted [&_svg]:size-6">
        {icon ?? <IdleLine />}
      </div>
      <p className="font-medium">{title}</p>
      {text && <p className="mt-1 max-w-sm text-balance text-muted text-sm">{text}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}

function IdleLine() {
  return (
    <svg viewBox="0 0 96 12" className="h-3! w-24! fill-ground stroke-edge" strokeWidth="1.25" aria-hidden>
      <path d="M0 6h96" />
      <circle cx="24" cy="6" r="4" />
      <circle cx="48" cy="6" r="4" />
      <circle cx="72" cy="6" r="4" />
    </svg>
  )
}
