import type { ReactNode } from 'react'

export function IconButton({
  label,
  onClick,
  children,
}: {
  label: string
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-ink/6 hover:text-ink [&>svg]:size-4.5"
    >
      {children}
    </button>
  )
}
