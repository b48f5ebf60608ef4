import * as Radix from 'radix-ui/dialog'
import type { ReactNode } from 'react'
import { DialogHeader } from './DialogHeader.tsx'
import { useDialogFocus } from './use-dialog-focus.ts'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
  maxWidth?: number | undefined
  /** Keeps the dialog open while its request runs, so that its failure is seen. */
  isBusy?: boolean | undefined
}

/**
 * Closes with its button, the Escape key or a click outside. Only the body scrolls; in a low window the whole dialog
 * scrolls.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  maxWidth = 500,
  isBusy = false,
}: DialogProps) {
  const manners = useDialogFocus()
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next || !isBusy) && onOpenChange(next)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 grid animate-appear grid-cols-1 place-items-center overflow-y-auto bg-scrim p-4 max-sm:place-items-end max-sm:p-0">
          <Radix.Content
            className="flex max-h-[calc(100dvh-2rem)] w-full [@media(max-height:30rem)]:max-h-none animate-rise flex-col rounded-xl border bg-surface text-ink shadow-far outline-none max-sm:rounded-b-none"
            style={{ maxWidth }}
            {...(description ? {} : { 'aria-describedby': undefined })}
            {...manners}
          >
            <DialogHeader title={title} description={description} isBusy={isBusy} />
            {children && <div className="min-h-0 overflow-y-auto px-5 py-5">{children}</div>}
            {footer && (
              <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-4">{footer}</footer>
            )}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
