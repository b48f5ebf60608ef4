import type { ReactNode } from 'react'

/** A full screen with one message. */
export function LineScreen({ lamp, children }: { lamp: ReactNode; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center">
      <div aria-hidden="true" className="flex w-full items-center gap-3">
        <span className="h-px flex-1 bg-line" />
        {lamp}
        <span className="h-px flex-1 bg-line" />
      </div>
      <div className="mt-8 flex max-w-md flex-col items-center gap-6 px-6 text-center">{children}</div>
    </main>
  )
}
