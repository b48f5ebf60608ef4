import { paymentStates } from '@trunkline/contract/payment-states'
import type { Payment } from '@trunkline/contract/payments'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useUser } from '../../app/session.ts'
import { useSite } from '../../app/site.ts'
import { drawPdf } from '../../common/pdf/draw-pdf.ts'
import { saveFile } from '../../common/save-file.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'

export const hasReceipt = ({ state, paid_at }: Payment): boolean =>
  paymentStates[state].status === 'Completed' && paid_at !== null

export function ReceiptButton({ payment }: { payment: Payment }) {
  const [isBusy, setBusy] = useState(false)
  const site = useSite()
  const user = useUser()

  async function download() {
    setBusy(true)
    try {
      saveFile(await drawPdf({ receipt: { payment, site, user } }), `receipt-${payment.order_id}.pdf`)
    } catch {
      toast.error('The receipt could not be created. Please try again.')
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button variant="ghost" size="sm" busy={isBusy} onClick={() => void download()}>
      {!isBusy && <Download aria-hidden />}
      Receipt <span className="sr-only">for order {payment.order_id}</span>
    </Button>
  )
}
