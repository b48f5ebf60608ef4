import * as Radix from 'radix-ui/dialog'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { DialogHeader } from './DialogHeader.tsx'
import { useDialogFocus } from './use-dialog-focus.ts'

type DrawerProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  /** For content with several columns. */
  isWide?: boolean
  children?: ReactNode
}

/** A panel at the right edge; full screen on a phone. Closes like a dialog. */
export function Drawer({ open, onOpenChange, title, description, isWide = false, children }: DrawerProps) {
  const manners = useDialogFocus()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          className={cx(
            'fixed inset-y-0 right-0 z-40 flex w-full animate-appear flex-col border-l bg-surface text-ink shadow-far outline-none max-sm:max-w-none max-sm:border-0',
            isWide ? 'max-w-3xl' : 'max-w-lg',
          )}
          {...(description ? {} : { 'aria-describedby': undefined })}
          {...manners}
        >
          <DialogHeader title={title} description={description} />
          <div
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            tabIndex={0}
            className="min-h-0 flex-1 overflow-y-auto px-5 py-5 focus-visible:-outline-offset-2"
          >
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
