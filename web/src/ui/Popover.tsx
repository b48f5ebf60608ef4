import * as Radix from 'radix-ui/popover'
import type { ReactNode } from 'react'

type PopoverProps = {
  /** The button that opens it. */
  trigger: ReactNode
  /** Accessible name of the panel. */
  label: string
  children: ReactNode
}

/** A small panel below a button. The Escape key, a click outside or the button closes it, and the button gets the focus back. */
export function Popover({ trigger, label, children }: PopoverProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-30 max-h-(--radix-popover-content-available-height) animate-appear overflow-y-auto rounded-xl border bg-raised p-4 text-ink shadow-far outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Closes the panel when its child is clicked. */
export const PopoverClose = ({ children }: { children: ReactNode }) => (
  <Radix.Close asChild>{children}</Radix.Close>
)
