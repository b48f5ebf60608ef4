import { type ComponentProps, useState } from 'react'
import { explain } from '../app/api.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { focusHeadingIfLost } from '../ui/focus-heading.ts'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.ts'

type ConfirmProps = Omit<ComponentProps<typeof ConfirmDialog>, 'description' | 'isBusy' | 'onConfirm'> & {
  text?: string
  failed: string
  /** Runs the action. A null message shows no toast. */
  onConfirm: () => Promise<{ message: string | null }>
  /** Refetches after success and after failure. */
  reread: () => unknown
}

/** Asks for confirmation. Open while it is mounted. The children say the consequences of the action. */
export function Confirm({ text, failed, onConfirm, reread, onClose, children, ...rest }: ConfirmProps) {
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
    <ConfirmDialog
      description={text}
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onClose={onClose}
      {...rest}
    >
      {(children || refusal) && (
        <div className="flex flex-col gap-3 text-sm">
          {children}
          {refusal && <Notice tone="danger">{refusal}</Notice>}
        </div>
      )}
    </ConfirmDialog>
  )
}
