import { type ReactNode, type Ref, useId } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

type FormDialogProps = {
  title: ReactNode
  description?: ReactNode
  /** Names the form, where the title does not. */
  label?: string
  /** The words of the button that sends it. */
  action: ReactNode
  isBusy: boolean
  isDisabled?: boolean
  maxWidth?: number
  /** How its fields stand: one below the other unless it says otherwise. */
  className?: string
  ref?: Ref<HTMLFormElement>
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A form that opens above a screen. Shown while it is mounted; Enter sends it from any of its fields. */
export function FormDialog({
  title,
  description,
  label,
  action,
  isBusy,
  isDisabled,
  maxWidth,
  className = 'flex flex-col gap-4',
  ref,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const form = useId()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      maxWidth={maxWidth}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={isBusy} disabled={isDisabled}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        ref={ref}
        noValidate
        aria-label={label}
        className={className}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}
