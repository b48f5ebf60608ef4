import type { AdminNumber } from '@trunkline/contract/numbers'
import type { NumberStatus } from '@trunkline/domain/ringing'
import { formatDate } from '../../common/format/dates.ts'
import { formatExactMoney } from '../../common/format/money.ts'
import { formatCount, formatNumber } from '../../common/format/numbers.ts'
import type { BadgeTone } from '../../ui/Badge.tsx'

type Words = { label: string; tone: BadgeTone }

export const statusWords: Record<NumberStatus, Words> = {
  available: { label: 'Available', tone: 'signal' },
  reserved: { label: 'Reserved', tone: 'pending' },
  blocked: { label: 'Blocked', tone: 'neutral' },
  rented: { label: 'Rented', tone: 'success' },
}

/** A rental that was not paid or was canceled replaces the status. */
export function stateOf({ status, rental }: Pick<AdminNumber, 'status' | 'rental'>): Words {
  if (rental?.state === 'suspended') return { label: 'Suspended', tone: 'danger' }
  if (rental?.state === 'grace') return { label: 'Unpaid', tone: 'danger' }
  if (rental?.cancels) return { label: 'Ending', tone: 'pending' }
  return statusWords[status]
}

/** One sentence about the state of a number. */
export function explainState({
  status,
  rental,
  user,
}: Pick<AdminNumber, 'status' | 'rental' | 'user'>): string {
  if (status === 'available') return 'Customers can rent this number.'
  if (status === 'blocked') return 'Customers cannot rent this number.'
  if (status === 'reserved')
    return user ? `Only ${user.username} can rent this number.` : 'Nobody can rent this number.'
  if (!rental || !user) return 'This number is rented.'
  if (rental.state === 'suspended') return `${user.username} has not paid. The number does not ring.`
  if (rental.state === 'grace') return `${user.username} has not paid the renewal. The number still rings.`
  const until = formatDate(rental.paid_until)
  return rental.cancels
    ? `${user.username} canceled it. It is released on ${until}.`
    : `${user.username} rents it. Paid until ${until}.`
}

/** `12 calls · 34.5 min` */
export const usageWords = ({ calls, minutes }: AdminNumber['usage']): string =>
  calls === 0 ? 'None' : `${formatNumber(calls)} · ${formatNumber(Math.round(minutes))} min`

/** The same as a sentence, for a tooltip. */
export const usageSentence = ({ calls, missed, minutes }: AdminNumber['usage']): string =>
  `Last 30 days: ${formatCount(calls, 'answered call')}, ${formatNumber(missed)} missed, ${formatNumber(minutes)} minutes`

/** `$2.50 + $0.02 / min` */
export const priceWords = (monthly: number, minute: number): string =>
  `${formatExactMoney(monthly)} a month, ${minute === 0 ? 'free calls' : `${formatExactMoney(minute)} a minute`}`
