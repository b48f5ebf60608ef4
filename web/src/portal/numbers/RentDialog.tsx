import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AvailableNumber } from '@trunkline/contract/numbers'
import { periodEnd } from '@trunkline/domain/rentals'
import { useState } from 'react'
import { ApiError, api, explain, isRefusal } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { useUser } from '../../app/session.ts'
import { Facts } from '../../common/Facts.tsx'
import { formatDate } from '../../common/format/dates.ts'
import {
  formatExactMoney,
  formatMoney,
  formatRate,
  formatRest,
  formatSum,
} from '../../common/format/money.ts'
import { viewersZone } from '../../common/format/viewer.ts'
import { newRequestKey } from '../../common/request-key.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { placeOf } from './MyNumbers.tsx'
import { rereadNumbers } from './queries.ts'
import { costsOf } from './rent.ts'
import { monthlyWords, showNumber } from './words.ts'

type RentDialogProps = {
  number: AvailableNumber
  /** The same number with other prices. */
  onNumber: (number: AvailableNumber) => void
  onClose: () => void
}

/** Shows what is paid now and later, then rents the number. */
export function RentDialog({ number, onNumber, onClose }: RentDialogProps) {
  const user = useUser()
  const [requestKey, setRequestKey] = useState(newRequestKey)
  const name = showNumber(number.number)
  const { now, isCovered, rest } = costsOf(number, { bal: user?.bal ?? 0, held: user?.held ?? 0 })

  const rent = useMutation({
    mutationFn: () => {
      const { id, monthly, setup, price } = number
      const body = { id, monthly, setup, price, request_key: requestKey, time_zone: viewersZone() }
      return api('POST /api/numbers', { body })
    },
    onSuccess: () => {
      toast.success(`${name} is yours. It rings all devices until you change it.`)
      onClose()
      void rereadNumbers()
    },
    onError: async (error) => {
      // The key of a refused request stays with its prices. If the outcome is unknown, the same key asks for it again.
      if (isRefusal(error)) setRequestKey(newRequestKey())
      const reread = rereadNumbers()
      if (!(error instanceof ApiError) || error.code !== 'number_price_changed') return
      await reread
      showNewPrices()
    },
  })

  function showNewPrices() {
    const pages = queryClient
      .getQueriesData<{ pages: { numbers: AvailableNumber[] }[] }>({ queryKey: ['numbers', 'available'] })
      .flatMap(([, data]) => data?.pages ?? [])
    const found = pages.flatMap((page) => page.numbers).find(({ id }) => id === number.id)
    if (found) onNumber(found)
  }

  const code = rent.error instanceof ApiError ? rent.error.code : undefined
  const isGone = code === 'number_taken' || code === 'not_found'
  // The balance may be short because the number was rented: only another attempt tells.
  const isUnknown = rent.isError && !isRefusal(rent.error)
  const isShort = !rent.isPending && !isUnknown && (!isCovered || code === 'insufficient_balance')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Rent ${name}`}
      description={placeOf(number)}
      isBusy={rent.isPending}
      footer={
        <>
          <Button disabled={rent.isPending} onClick={onClose}>
            {isGone ? 'Close' : 'Cancel'}
          </Button>
          {!isGone && (
            <Button
              variant="primary"
              busy={rent.isPending}
              disabled={!isCovered && !isUnknown}
              onClick={() => rent.mutate()}
            >
              Rent number
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div>
          <p className="engraved text-muted">You pay now</p>
          <p className="figures mt-1 font-semibold text-3xl tracking-tight">{formatExactMoney(now)}</p>
        </div>
        <div className="figures border-t">
          <Facts
            facts={[
              ['First month', formatExactMoney(number.monthly)],
              ['Set-up fee', number.setup === 0 ? 'None' : formatExactMoney(number.setup)],
              ['Available balance', formatRest(user?.bal ?? 0, user?.held ?? 0)],
              ['Balance after', isCovered ? formatMoney(rest) : '–'],
              [
                'Renewal',
                `${monthlyWords(number.monthly)}, first on ${formatDate(periodEnd(new Date(), 1).toISOString())}`,
              ],
              ['Incoming calls', formatRate(number.price)],
            ]}
          />
        </div>
        <p className="text-muted text-sm">
          Renewals are paid from your balance. You can cancel at the end of any month.
        </p>
        {isShort ? (
          <Notice tone="danger">
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <p>
                {isCovered
                  ? explain(rent.error, 'Your balance does not cover this number.')
                  : `Your balance does not cover this number. ${formatSum(-rest)} is missing.`}
              </p>
              <Link to="/dashboard/topup" className={buttonClass({ size: 'sm' })}>
                Top Up
              </Link>
            </div>
          </Notice>
        ) : (
          rent.isError && (
            <Notice tone="danger">
              {explain(rent.error, 'The number could not be rented. Please try again.')}
            </Notice>
          )
        )}
      </div>
    </Dialog>
  )
}
