import { type ReactNode, useState } from 'react'
import { explain } from '../app/api.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { focusHeadingIfLost } from '../ui/focus-heading.ts'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.ts'

type ConfirmProps = {
  title: string
  text?: string
  keep?: string
  action: string
  isDanger?: boolean
  failed: string
  /** Runs the action. A null message shows no toast. */
  onConfirm: () => Promise<{ message: string | null }>
  /** Refetches after success and after failure. */
  reread: () => unknown
  onClose: () => void
  /** Consequences of the action. */
  children?: ReactNode
}

/** Asks for confirmation. Open while it is mounted. */
export function Confirm({
  title,
  text,
  keep = 'Cancel',
  action,
  isDanger = true,
  failed,
  onConfirm,
  reread,
  onClose,
  children,
}: ConfirmProps) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)

  async function confirm() {
    setBusy(true)
    try {
      const { message } = await onConfirm()
      if (message !== null) toast.success(message)
      onClose()
    } catch (error) {
      setRefusal(explain(error, failed))
      setBusy(false)
    }
    await reread()
    focusHeadingIfLost()
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={text}
      maxWidth={440}
      isBusy={isBusy}
      footer={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            {keep}
          </Button>
          <Button variant={isDanger ? 'danger' : 'primary'} busy={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      {(children || refusal) && (
        <div className="flex flex-col gap-3 text-sm">
          {children}
          {refusal && <Notice tone="danger">{refusal}</Notice>}
        </div>
      )}
    </Dialog>
  )
}
