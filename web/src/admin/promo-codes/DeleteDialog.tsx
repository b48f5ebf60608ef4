import type { PromoCode } from '@trunkline/contract/admin-promo-codes'
import { useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { rereadCodes } from './queries.ts'

export function DeleteDialog({ code, onDone }: { code: PromoCode; onDone: () => void }) {
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function remove() {
    setBusy(true)
    try {
      const { message } = await api('DELETE /api/admin/promo-codes/:id', { params: { id: code.id } })
      toast.success(message)
      onDone()
    } catch (error) {
      setRefusal(explain(error, 'The promo code could not be deleted.'))
      setBusy(false)
    }
    void rereadCodes()
  }
  return (
    <Dialog
      open
      onOpenChange={onDone}
      title={`Delete ${code.code}?`}
      description="Nobody has used it. Whoever was given it will be told that it does not exist."
      footer={
        <>
          <Button onClick={onDone}>Cancel</Button>
          <Button variant="danger" busy={isBusy} onClick={() => void remove()}>
            Delete
          </Button>
        </>
      }
    >
      {refusal && <Notice tone="danger">{refusal}</Notice>}
    </Dialog>
  )
}
