import { X } from 'lucide-react'
import * as Radix from 'radix-ui/dialog'
import type { ReactNode } from 'react'

type DialogHeaderProps = { title: ReactNode; description?: ReactNode; isBusy?: boolean }

/** Title, description and close button of dialogs and drawers. */
export function DialogHeader({ title, description, isBusy = false }: DialogHeaderProps) {
  return (
    <header className="flex items-start gap-4 border-b px-5 py-4">
      <div className="min-w-0 flex-1">
        <Radix.Title className="font-semibold text-lg tracking-tight">{title}</Radix.Title>
        {description && (
          <Radix.Description className="mt-0.5 text-muted text-sm">{description}</Radix.Description>
        )}
      </div>
      <Radix.Close
        aria-label="Close"
        disabled={isBusy}
        className="-mr-1.5 grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-ink/6 hover:text-ink disabled:cursor-not-allowed disabled:opacity-50"
      >
        <X aria-hidden className="size-4" />
      </Radix.Close>
    </header>
  )
}
