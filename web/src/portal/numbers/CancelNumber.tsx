import type { RentedNumber } from '@trunkline/contract/numbers'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { Confirm } from '../../common/Confirm.tsx'
import { formatDate } from '../../common/format/dates.ts'
import { putNumber, rereadNumbers } from './queries.ts'
import { monthlyWords, showNumber } from './words.ts'

/** Cancels a number at the end of its period, or keeps it after all. */
export function CancelNumber({ number, onClose }: { number: RentedNumber; onClose: () => void }) {
  // The answer changes the number while the dialog is still open.
  const [{ cancels: isKept, paid_until, monthly }] = useState(number)
  const name = showNumber(number.number)
  const date = formatDate(paid_until)

  async function confirm() {
    const { number: changed } = await api('POST /api/numbers/:id/cancel', {
      params: { id: number.id },
      body: { cancels: !isKept },
    })
    putNumber(changed)
    const until = formatDate(changed.paid_until)
    return { message: isKept ? `${name} renews on ${until}.` : `${name} ends on ${until}.` }
  }

  return (
    <Confirm
      title={`${isKept ? 'Keep' : 'Cancel'} ${name}?`}
      text={
        isKept
          ? `It renews on ${date} for ${monthlyWords(monthly)}.`
          : `It rings until ${date}. After that, other customers can rent it. Rent that you have paid is not refunded.`
      }
      keep="Back"
      action={isKept ? 'Keep number' : 'Cancel number'}
      isDanger={!isKept}
      failed={isKept ? 'The number could not be kept.' : 'The number could not be canceled.'}
      onConfirm={confirm}
      reread={rereadNumbers}
      onClose={onClose}
    />
  )
}
