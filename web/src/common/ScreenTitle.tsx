import type { ReactNode } from 'react'

/** The title of a screen. The header contains the h1. */
export function ScreenTitle({ title, text }: { title: ReactNode; text?: ReactNode }) {
  return (
    <div className="mb-6">
      <h2 className="font-semibold text-2xl tracking-tight">{title}</h2>
      {text && <p className="mt-1 text-muted">{text}</p>}
    </div>
  )
}
