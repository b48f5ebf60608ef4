import type { ComponentProps } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

type ConfirmDialogProps = Pick<ComponentProps<typeof Dialog>, 'title' | 'description' | 'children'> & {
  /** Label of the button that closes the dialog. */
  keep?: string
  action: string
  isDanger?: boolean
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** A question in a dialog that is open while it is mounted. */
export const ConfirmDialog = ({
  keep = 'Cancel',
  action,
  isDanger = true,
  isBusy,
  onConfirm,
  onClose,
  ...rest
}: ConfirmDialogProps) => (
  <Dialog
    open
    onOpenChange={onClose}
    maxWidth={440}
    isBusy={isBusy}
    footer={
      <>
        <Button disabled={isBusy} onClick={onClose}>
          {keep}
        </Button>
        <Button variant={isDanger ? 'danger' : 'primary'} busy={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </>
    }
    {...rest}
  />
)
