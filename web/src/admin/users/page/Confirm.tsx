import { useState } from 'react'
import { explain } from '../../../app/api.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { rereadUsers } from '../queries.ts'

type ConfirmProps = {
  title: string
  text: string
  action: string
  isDanger?: boolean
  failed: string
  /** What is done, and the sentence to say of it; null where something else says it. */
  onConfirm: () => Promise<{ message: string | null }>
  onClose: () => void
}

/** What cannot simply be taken back is asked for once more. Shown while it is mounted. */
export function Confirm({ title, text, action, isDanger = true, failed, onConfirm, onClose }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)

  async function confirm() {
    setBusy(true)
    try {
      const { message } = await onConfirm()
      if (message !== null) toast.success(message)
      void rereadUsers()
      onClose()
    } catch (error) {
      setRefusal(explain(error, failed))
      setBusy(false)
    }
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
          <Button onClick={onClose}>Cancel</Button>
          <Button variant={isDanger ? 'danger' : 'primary'} busy={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      {refusal && <Notice tone="danger">{refusal}</Notice>}
    </Dialog>
  )
}
