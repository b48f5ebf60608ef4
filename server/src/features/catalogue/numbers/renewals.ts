import { system } from '@trunkline/domain/access'
import { formatExact, micros } from '@trunkline/domain/money'
import {
  deadlinesOf,
  decideRenewal,
  periodEnd,
  type RenewalSettings,
  type RenewalStep,
} from '@trunkline/domain/rentals'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { defineJob, type Jobs } from '../../../platform/jobs.ts'
import type { Mailer } from '../../../platform/mailer.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import { mailboxOf } from '../../identity/users/mailbox.ts'
import { findUserById } from '../../identity/users/store.ts'
import type { Ledger } from '../../money/ledger/service.ts'
import { findDueRentals, findNumberOf, lockCoverage } from './renewals-store.ts'
import { type RentalMailKind, rentalMail, type UnpaidCause } from './rental-mails.ts'
import { lockRental, type RentalRow, updateRental } from './rentals-store.ts'
import { rentKey, rentReference } from './renting.ts'
import { readRenewalSettings } from './settings.ts'
import { lockNumber, updateNumber } from './store.ts'
import { factsOf } from './view.ts'

type RentalMailJob = {
  userId: number
  rentalId: number
  kind: RentalMailKind
  cause?: UnpaidCause
  e164: string
  /** Micro-dollars as text. */
  monthly: string
  /** Milliseconds since 1970. */
  at: number
}

export const renewNumbers = defineJob<Record<string, never>>('renew-numbers')
export const sendRentalMail = defineJob<RentalMailJob>('send-rental-mail')

export type Renewals = ReturnType<typeof createRenewals>

type Unpaid = { settings: RenewalSettings; cause: UnpaidCause }

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  ledger: Ledger
  alerts: Pick<Alerts, 'raiseWithin' | 'closeWithin'>
  jobs: Pick<Jobs, 'sendWithin'>
  mailer: Mailer
  publicUrl: string
  siteName: string
}

/** Rentals per run. The next run continues. */
const MAX_PER_RUN = 5_000

/**
 * Renews, suspends and ends rentals. Each step is one transaction with the rows of the number and the rental locked: it books the
 * rent, changes the state, and queues the mail and the alert. So any number of workers can run it, and one that is killed
 * leaves a step undone or done completely.
 */
export function createRenewals({
  db,
  clock,
  logger,
  ledger,
  alerts,
  jobs,
  mailer,
  publicUrl,
  siteName,
}: Deps) {
  const scope = system('rent of numbers')

  const mail = (
    tx: Database,
    rental: RentalRow,
    kind: RentalMailKind,
    at: Date,
    cause: UnpaidCause = 'balance',
  ): Promise<void> =>
    jobs.sendWithin(tx, sendRentalMail, {
      userId: rental.user_id,
      rentalId: rental.id,
      kind,
      cause,
      e164: rental.e164,
      monthly: String(rental.monthly_micros),
      at: at.getTime(),
    })

  const closeAlert = (tx: Database, { id }: RentalRow): Promise<void> =>
    alerts.closeWithin(tx, { kind: 'renewal_failed', subjects: [`rental:${id}`] })

  const raise = (tx: Database, rental: RentalRow, message: string): Promise<void> =>
    alerts.raiseWithin(tx, [
      {
        kind: 'renewal_failed',
        subject: `rental:${rental.id}`,
        userId: rental.user_id,
        message,
        details: { number: `+${rental.e164}`, monthly: formatExact(micros(rental.monthly_micros)) },
      },
    ])

  /** The number becomes available again. The caller has locked the number and the rental. */
  async function end(
    tx: Database,
    rental: RentalRow,
    reason: 'cancelled' | 'unpaid' | 'released',
  ): Promise<void> {
    const now = clock.now()
    const endedAt = reason === 'cancelled' && rental.paid_until < now ? rental.paid_until : now
    await updateRental(tx, scope, rental.id, { state: 'ended', ended_at: endedAt, end_reason: reason })
    if (rental.number_id !== null)
      await updateNumber(tx, scope, rental.number_id, { status: 'available', user_id: null })
    if (reason === 'unpaid')
      await raise(tx, rental, `+${rental.e164} was released because its rent was not paid.`)
    else await closeAlert(tx, rental)
    await mail(tx, rental, reason, endedAt)
  }

  async function book(tx: Database, rental: RentalRow, period: number): Promise<void> {
    if (rental.monthly_micros === 0n) return
    const outcome = await ledger.within(tx).post(scope, {
      kind: 'number_rent',
      key: rentKey(rental.id, period),
      userId: rental.user_id,
      amountMicros: micros(rental.monthly_micros),
      reference: rentReference(rental.e164, rental.started_at, period),
    })
    if (!outcome.ok) throw new Error(`the ledger refused the rent of rental ${rental.id}: ${outcome.reason}`)
  }

  async function renew(
    tx: Database,
    rental: RentalRow,
    { period, paidUntil, isActive }: Extract<RenewalStep, { kind: 'renew' }>,
  ): Promise<void> {
    await book(tx, rental, period)
    await updateRental(tx, scope, rental.id, {
      periods: period,
      paid_until: paidUntil,
      ...(isActive && { state: 'active', overdue_since: null, suspended_at: null }),
    })
    if (isActive && rental.state !== 'active') {
      await closeAlert(tx, rental)
      await mail(tx, rental, 'renewed', paidUntil)
    }
  }

  const causeWords: Record<UnpaidCause, string> = {
    balance: 'its rent was not paid',
    disabled: 'its account is disabled and pays no rent',
  }

  async function startGrace(tx: Database, rental: RentalRow, { settings, cause }: Unpaid): Promise<void> {
    const overdue = { state: 'grace' as const, overdue_since: clock.now() }
    await updateRental(tx, scope, rental.id, overdue)
    const deadlines = deadlinesOf(factsOf({ ...rental, ...overdue }), settings)
    const message =
      cause === 'disabled'
        ? `+${rental.e164} was not renewed because ${causeWords.disabled}.`
        : `The rent of +${rental.e164} could not be paid. The number still rings.`
    await raise(tx, rental, message)
    if (deadlines) await mail(tx, rental, 'grace', deadlines.suspendsAt, cause)
  }

  async function suspend(tx: Database, rental: RentalRow, { settings, cause }: Unpaid): Promise<void> {
    const suspended = { state: 'suspended' as const, suspended_at: clock.now() }
    await updateRental(tx, scope, rental.id, suspended)
    const deadlines = deadlinesOf(factsOf({ ...rental, ...suspended }), settings)
    await raise(tx, rental, `+${rental.e164} was suspended because ${causeWords[cause]}.`)
    if (deadlines) await mail(tx, rental, 'suspended', deadlines.releasesAt, cause)
  }

  /** Decides and carries out one step. True if there may be another one. */
  const step = (rentalId: number): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      const numberId = await findNumberOf(tx, scope, rentalId)
      if (numberId !== null) await lockNumber(tx, scope, numberId)
      const rental = await lockRental(tx, scope, rentalId)
      if (!rental) return false
      const now = clock.now()
      const settings = await readRenewalSettings(tx)
      const { availableMicros, comingMicros, isDisabled } = await lockCoverage(tx, scope, rental, now)
      const needed = rental.paid_until > now ? comingMicros : rental.monthly_micros
      const isCovered = !isDisabled && availableMicros >= needed
      const cause = isDisabled ? 'disabled' : 'balance'
      const decided = decideRenewal(factsOf(rental), isCovered, settings, now)
      switch (decided.kind) {
        case 'none':
          return false
        case 'warn':
          await updateRental(tx, scope, rental.id, { warned_period: decided.period })
          await mail(tx, rental, 'warning', periodEnd(rental.started_at, decided.period - 1), cause)
          return false
        case 'renew':
          await renew(tx, rental, decided)
          return !decided.isActive
        case 'grace':
          await startGrace(tx, rental, { settings, cause })
          return true
        case 'suspend':
          await suspend(tx, rental, { settings, cause })
          return true
        case 'end':
          await end(tx, rental, decided.reason)
          return false
      }
    })

  return {
    end,

    /** Job handler. One rental that fails does not stop the others. */
    async run(): Promise<void> {
      const settings = await readRenewalSettings(db)
      for (const id of await findDueRentals(db, scope, settings, clock.now(), MAX_PER_RUN))
        try {
          while (await step(id));
        } catch (error) {
          logger.error({ err: error, rental: id }, 'failed to renew a number')
        }
    },

    /** Job handler. Sends only to verified addresses. */
    async mail({
      userId,
      rentalId,
      kind,
      cause = 'balance',
      e164,
      monthly,
      at,
    }: RentalMailJob): Promise<void> {
      const user = await findUserById(db, scope, userId)
      const mailbox = user && mailboxOf(user)
      if (!mailbox) return
      await mailer.send(
        rentalMail(
          { kind, cause, e164, monthlyMicros: BigInt(monthly), at: new Date(at) },
          {
            to: mailbox,
            username: user.username,
            siteName,
            publicUrl,
            messageId: `<rental-${rentalId}-${kind}-${at}@${new URL(publicUrl).hostname}>`,
          },
        ),
      )
    },
  }
}
