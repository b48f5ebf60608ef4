import { type ReactNode, useState } from 'react'
import { explain } from '../app/api.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.ts'

type ConfirmProps = {
  title: string
  text?: string
  keep?: string
  action: string
  isDanger?: boolean
  failed: string
  /** What is done, and the sentence to say of it; null where something else says it. */
  onConfirm: () => Promise<{ message: string | null }>
  /** Reads anew what it may have changed, done or not. */
  reread: () => unknown
  onClose: () => void
  /** What hangs on it. */
  children?: ReactNode
}

/** What cannot simply be taken back is asked for once more. Shown while it is mounted. */
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
    void reread()
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={text}
      maxWidth={440}
      footer={
        <>
          <Button onClick={onClose}>{keep}</Button>
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
