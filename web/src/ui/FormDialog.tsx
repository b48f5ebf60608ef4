import { type ReactNode, useId } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Form, type FormHandle } from './Form.tsx'
import { Notice } from './Notice.tsx'

type FormDialogProps = {
  form: FormHandle
  title: ReactNode
  description?: ReactNode
  /** Accessible name of the form, if the title is not enough. */
  label?: string
  /** Label of the submit button. */
  action: ReactNode
  isDisabled?: boolean
  maxWidth?: number
  /** Layout of the fields. */
  className?: string
  onClose: () => void
  children: ReactNode
}

/** A form in a dialog that is open while it is mounted. */
export function FormDialog({
  form,
  title,
  description,
  label,
  action,
  isDisabled,
  maxWidth,
  className = 'flex flex-col gap-4',
  onClose,
  children,
}: FormDialogProps) {
  const id = useId()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      maxWidth={maxWidth}
      isBusy={form.isBusy}
      footer={
        <>
          <Button disabled={form.isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant="primary" busy={form.isBusy} disabled={isDisabled}>
            {action}
          </Button>
        </>
      }
    >
      <Form form={form} id={id} label={label}>
        <div className={className}>{children}</div>
        {form.failure && <Notice tone="danger">{form.failure}</Notice>}
      </Form>
    </Dialog>
  )
}
