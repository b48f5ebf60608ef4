import { type ErrorCode, Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import type { PromoOffer } from '@trunkline/contract/promo-codes'
import { type Caller, system } from '@trunkline/domain/access'
import { type Micros, micros, toWireNumber, ZERO } from '@trunkline/domain/money'
import { type Clock, DAY, HOUR } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import type { AttemptLimits } from '../../identity/attempts/service.ts'
import { type Ledger, orRefuse } from '../ledger/service.ts'
import { amountOf, bonusOn, faultOf, isBonus, offerOf } from './offers.ts'
import {
  countUses,
  findPromoCode,
  insertRedemption,
  lockPromoCode,
  moveReservation,
  type PromoCodeRow,
  releaseReservation,
  takeReservation,
} from './store.ts'

export type PromoCodes = ReturnType<typeof createPromoCodes>

type Deps = {
  db: Database
  clock: Clock
  ledger: Ledger
  attempts: AttemptLimits
  alerts: Pick<Alerts, 'raise'>
  /** Limit of accounts per code, address and day for account credit. */
  redemptionsPerAddress: number
}

/** Rate limit against guessing codes. */
const MISSES_PER_HOUR = 20

/** Ledger key of a redemption. */
export const promoKey = (redemptionId: number): string => `promo:${redemptionId}`

const NOBODY_YET = { total: 0, own: 0 }

export function createPromoCodes({ db, clock, ledger, attempts, alerts, redemptionsPerAddress }: Deps) {
  const systemOwner = system('promo codes')

  /** Counts failed attempts only. */
  async function guarded<Result>(caller: Caller, attempt: () => Promise<Result>): Promise<Result> {
    const limits = [{ key: `promo ${caller.userId}`, max: MISSES_PER_HOUR, windowMs: HOUR }]
    await attempts.require(limits)
    const result = await attempt()
    await attempts.giveBack(limits)
    return result
  }

  async function judge(
    handle: Database,
    userId: number,
    code: PromoCodeRow | undefined,
  ): Promise<ErrorCode | null> {
    const uses = code ? await countUses(handle, code, userId) : NOBODY_YET
    return faultOf(code, uses, clock.now())
  }

  /** Limits account credit per address, against users with several accounts. */
  async function guardedByAddress<Result>(
    { code, id }: PromoCodeRow,
    address: string,
    redeem: () => Promise<Result>,
  ): Promise<Result> {
    const limit = { key: `promo ${code} from ${address}`, max: redemptionsPerAddress, windowMs: DAY }
    if (!(await attempts.take([limit]))) {
      await alerts.raise({
        kind: 'promo_abuse',
        subject: `promo:${id}:${address}`,
        userId: null,
        message: `Code ${code} was redeemed by ${redemptionsPerAddress} accounts from ${address} within a day. More were refused.`,
        details: { code, address },
      })
      throw new Refusal('too_many_requests', ownMessages.promoAddressLimit)
    }
    return redeem().catch(async (error) => {
      await attempts.giveBack([limit])
      throw error
    })
  }

  return {
    check: (caller: Caller, text: string): Promise<PromoOffer> =>
      guarded(caller, async () => {
        const code = await findPromoCode(db, text)
        const fault = await judge(db, caller.userId, code)
        if (fault || !code) throw new Refusal(fault ?? 'promo_unknown')
        return offerOf(code)
      }),

    /** Credits account credit immediately. A bonus is only described; the top-up reserves it. */
    redeem: (
      caller: Caller,
      text: string,
      address: string,
    ): Promise<{ offer: PromoOffer; credited: number }> =>
      guarded(caller, async () => {
        const known = await findPromoCode(db, text)
        const redeem = () => redeemOnce(caller, text)
        return known?.type === 'account_credit' ? guardedByAddress(known, address, redeem) : redeem()
      }),

    /**
     * Reserves the bonus for a new top-up. The reservation counts toward the limits. If the customer starts another top-up,
     * the reservation moves from the unpaid one.
     */
    async reserve(
      handle: Database,
      topUp: { userId: number; invoiceId: number; amountMicros: Micros },
      text: string,
    ): Promise<void> {
      const code = await lockPromoCode(handle, text)
      const fault = await judge(handle, topUp.userId, code)
      const isAtLimit = fault === 'promo_already_used' || fault === 'promo_used_up'
      if (!code || (fault && !isAtLimit)) throw new Refusal(fault ?? 'promo_unknown')
      const bonusMicros = bonusOn(code, topUp.amountMicros)
      if (!isBonus(bonusMicros)) throw new Refusal('promo_topup_too_small')
      const { userId, invoiceId } = topUp
      const redemption = { promoCodeId: code.id, userId, invoiceId, bonusMicros }
      if (!fault) await insertRedemption(handle, redemption, clock.now())
      else if (!(await moveReservation(handle, redemption))) throw new Refusal(fault)
    },

    /** Credits the reserved bonus of a paid top-up and returns it. */
    async payOut(handle: Database, userId: number, invoiceId: number): Promise<Micros> {
      const taken = await takeReservation(handle, systemOwner, invoiceId, clock.now())
      if (!taken) return ZERO
      await credit(handle, userId, taken.id, micros(taken.bonusMicros), taken.code)
      return micros(taken.bonusMicros)
    },

    /** Releases the reservation of a top-up that will not be paid. */
    release: (handle: Database, invoiceId: number): Promise<void> =>
      releaseReservation(handle, systemOwner, invoiceId),
  }

  function redeemOnce(caller: Caller, text: string): Promise<{ offer: PromoOffer; credited: number }> {
    return db.transaction().execute(async (tx) => {
      const code = await lockPromoCode(tx, text)
      const fault = await judge(tx, caller.userId, code)
      if (fault || !code) throw new Refusal(fault ?? 'promo_unknown')
      if (code.type !== 'account_credit') return { offer: offerOf(code), credited: 0 }
      const amountMicros = amountOf(code)
      const { id } = await insertRedemption(
        tx,
        { promoCodeId: code.id, userId: caller.userId, invoiceId: null, bonusMicros: amountMicros },
        clock.now(),
      )
      await credit(tx, caller.userId, id, amountMicros, code.code)
      return { offer: offerOf(code), credited: toWireNumber(amountMicros) }
    })
  }

  async function credit(
    handle: Database,
    userId: number,
    redemptionId: number,
    amountMicros: Micros,
    reference: string,
  ): Promise<void> {
    const key = promoKey(redemptionId)
    const command = { kind: 'promo_credit', key, userId, amountMicros, reference } as const
    orRefuse(await ledger.within(handle).post(systemOwner, command))
  }
}
