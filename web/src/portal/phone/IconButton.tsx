import type { ReactNode } from 'react'

export function IconButton({
  label,
  onClick,
  isPressed,
  children,
}: {
  label: string
  onClick: () => void
  isPressed?: boolean
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
      className="grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-ink/6 hover:text-ink aria-pressed:text-pending [&>svg]:size-4.5"
    >
      {children}
    </button>
  )
}
