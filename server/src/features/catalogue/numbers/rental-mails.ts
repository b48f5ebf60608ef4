import { formatExact, micros } from '@trunkline/domain/money'
import type { Mail } from '../../../platform/mailer.ts'

/** Emails about the rent of a number. */

export type RentalMailKind =
  | 'warning'
  | 'grace'
  | 'suspended'
  | 'renewed'
  | 'unpaid'
  | 'cancelled'
  | 'released'

/** Why a renewal is not booked. */
export type UnpaidCause = 'balance' | 'disabled'

export type RentalNotice = {
  kind: RentalMailKind
  cause: UnpaidCause
  e164: string
  monthlyMicros: bigint
  /** Time of the renewal, the suspension or the release. */
  at: Date
}

type Addressee = { to: string; username: string; siteName: string; publicUrl: string; messageId: string }

type Words = { subject: string; story: string }

/** The customer can still keep the number. */
const OPEN: ReadonlySet<RentalMailKind> = new Set(['warning', 'grace', 'suspended'])

/** A disabled account pays nothing, so its numbers end. */
function wordsWhileDisabled({ kind, e164, at }: RentalNotice): Words | null {
  const number = `+${e164}`
  const day = dayOf(at)
  switch (kind) {
    case 'warning':
      return {
        subject: `Your number ${number} will not be renewed`,
        story: `Your account is disabled, so your number ${number} is not renewed at ${day}.`,
      }
    case 'grace':
      return {
        subject: `Your number ${number} was not renewed`,
        story: `Your account is disabled, so your number ${number} was not renewed. It is suspended at ${day}.`,
      }
    case 'suspended':
      return {
        subject: `Your number ${number} is suspended`,
        story: `Your account is disabled, so your number ${number} was not renewed. You lose it at ${day}.`,
      }
    default:
      return null
  }
}

const dayOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

function wordsOf({ kind, e164, monthlyMicros, at }: RentalNotice): Words {
  const number = `+${e164}`
  const rent = formatExact(micros(monthlyMicros))
  const day = dayOf(at)
  switch (kind) {
    case 'warning':
      return {
        subject: `Your balance does not cover the rent of ${number}`,
        story: `Your number ${number} renews at ${day} for ${rent}. Your balance does not cover this.`,
      }
    case 'grace':
      return {
        subject: `The rent of ${number} could not be paid`,
        story: `Your balance does not cover the rent of ${number}, ${rent} a month. The number still rings. It is suspended at ${day}.`,
      }
    case 'suspended':
      return {
        subject: `Your number ${number} is suspended`,
        story: `The rent of ${number}, ${rent} a month, was not paid. The number no longer rings. You lose it at ${day}.`,
      }
    case 'renewed':
      return {
        subject: `The rent of ${number} is paid`,
        story: `The rent of ${number} was paid from your balance. The number is active and paid until ${day}.`,
      }
    case 'unpaid':
      return {
        subject: `Your number ${number} was released`,
        story: `The rent of ${number} was not paid. The number was released at ${day} and no longer belongs to you.`,
      }
    case 'cancelled':
      return {
        subject: `Your number ${number} has ended`,
        story: `You canceled ${number}. Its paid period ended at ${day}, and it no longer rings.`,
      }
    case 'released':
      return {
        subject: `Your number ${number} was released`,
        story: `An administrator ended the rental of ${number} at ${day}. It no longer rings. Contact our support if you have questions.`,
      }
  }
}

export function rentalMail(
  notice: RentalNotice,
  { to, username, siteName, publicUrl, messageId }: Addressee,
): Mail {
  const isDisabled = notice.cause === 'disabled'
  const { subject, story } = (isDisabled && wordsWhileDisabled(notice)) || wordsOf(notice)
  const way = isDisabled
    ? 'Contact our support to keep the number.'
    : `Top up your balance to keep the number:\n\n${publicUrl}/topup`
  const remedy = OPEN.has(notice.kind) ? `\n${way}\n` : ''
  return {
    to,
    subject: `${siteName}: ${subject}`,
    text: `Hello ${username},\n\n${story}\n${remedy}`,
    messageId,
  }
}
