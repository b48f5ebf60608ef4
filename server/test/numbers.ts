import type { AdminNumber } from '@trunkline/contract/numbers'
import { system } from '@trunkline/domain/access'
import { expect } from 'vitest'
import { microsOf } from '../src/platform/amounts.ts'
import { createShop } from './catalogue.ts'
import type { SignedIn } from './portal.ts'

let keys = 0
export const newKey = (): string => `request-key-${++keys}`

/** A shop with helpers for numbers. */
export async function createNumberShop(...options: Parameters<typeof createShop>) {
  const shop = await createShop(...options)
  const { token } = shop.root
  let added = 0
  return {
    ...shop,
    topUp: (who: SignedIn, amount: number) =>
      shop.services.ledger.post(system('test'), {
        kind: 'top_up',
        key: `top-up ${newKey()}`,
        userId: who.id,
        amountMicros: microsOf(amount),
        reference: 'order',
      }),
    balanceOf: async ({ id }: SignedIn): Promise<number> => {
      const { balanceMicros } = await shop.services.ledger.balanceOf(system('test'), id)
      return Number(balanceMicros) / 1_000_000
    },
    async addNumber(given: object = {}): Promise<AdminNumber> {
      const number = `+44 20 7946 ${String(++added).padStart(4, '0')}`
      const body = { number, area: 'London', monthly: 2, setup: 1, price: 0.01, ...given }
      const { status, answer, message } = await shop.call('POST /api/admin/numbers', { token, body })
      if (status !== 200) throw new Error(message)
      return answer.number
    },
    rent: (who: SignedIn, { id, monthly, setup, price }: AdminNumber, given: object = {}) =>
      shop.call('POST /api/numbers', {
        token: who.token,
        body: { id, monthly, setup, price, request_key: newKey(), ...given },
      }),
    /** Sessions expire while a test moves the clock, so these ask the services. */
    own: ({ id }: SignedIn) => shop.services.numbers.own({ userId: id, isAdmin: false }),
    /** What the customer reads about numbers, newest first. */
    statement: async ({ id }: SignedIn) => {
      const page = { kind: 'number_rent' as const, limit: 100 }
      return (await shop.services.balances.ownStatement({ userId: id, isAdmin: false }, page)).lines
    },
    async expectBooksToAddUp(): Promise<void> {
      const { checks } = await shop.services.books.prove()
      expect(checks.filter(({ faultCount }) => faultCount > 0)).toEqual([])
    },
  }
}

export type NumberShop = Awaited<ReturnType<typeof createNumberShop>>
