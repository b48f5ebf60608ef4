import type { Services } from '@trunkline/server/app/services'
import type { UserSearch } from '@trunkline/server/features/admin-users/service'
import type { PaymentSearch } from '@trunkline/server/features/payments/administration'
import { measure } from './measure.ts'

/** Everything the panel's lists and cards ask for, one after the other, each for a few seconds. */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)
const DAY_MS = 24 * 60 * 60_000
const LIMIT = 20

/** Medians by the name of what was measured. */
export type Figures = Map<string, number>

export async function measureAdministration(services: Services, size: number): Promise<Figures> {
  const { userAdministration, userStats, paymentAdministration } = services
  const admin = { userId: 1, isAdmin: true }
  const users = (more: Partial<UserSearch> = {}) =>
    userAdministration.list(admin, { sort: 'newest', limit: LIMIT, ...more })
  const payments = (more: Partial<PaymentSearch> = {}) =>
    paymentAdministration.list(admin, { limit: LIMIT, ...more })
  const middle = Math.floor(size / 2)
  const { user } = await userAdministration.get(admin, middle)
  const someCompany = user.company?.split(' ')[1] ?? ''
  const aMonthAgo = new Date(Date.now() - 30 * DAY_MS).toISOString()
  const twoWeeksAgo = new Date(Date.now() - 14 * DAY_MS).toISOString()

  const steps: [string, () => Promise<unknown>][] = [
    ['users, newest', () => users()],
    ['users, newest, a page in the middle', () => users({ after: `${middle}~${middle}` })],
    ['users by name', () => users({ sort: 'name' })],
    ['users by name, a page in the middle', () => users({ sort: 'name', after: `1~customer5` })],
    ['users by balance', () => users({ sort: 'balance' })],
    ['users by balance, a page in the middle', () => users({ sort: 'balance', after: '1~250000000' })],
    ['premium users', () => users({ premium: 'yes' })],
    ['premium users by balance', () => users({ premium: 'yes', sort: 'balance' })],
    ['disabled users', () => users({ disabled: 'yes' })],
    ['disabled users by name', () => users({ disabled: 'yes', sort: 'name' })],
    ['search of one name', () => users({ search: `customer${middle}` })],
    ['search of a company (20 users)', () => users({ search: someCompany })],
    ['search of a company by name', () => users({ search: someCompany, sort: 'name' })],
    ['search that fits everybody', () => users({ search: 'customer' })],
    ['search that fits everybody, by balance', () => users({ search: 'customer', sort: 'balance' })],
    ['search that fits nobody', () => users({ search: 'nobody at all' })],
    ['search of two letters', () => users({ search: 'cu', sort: 'name' })],
    ['one user whole', () => userAdministration.get(admin, middle)],
    ['payments, newest', () => payments()],
    ['payments, a page in the middle', () => payments({ before: size * 2 })],
    ['payments that wait', () => payments({ state: 'pending' })],
    ['payments in review', () => payments({ state: 'in_review' })],
    ['payments of one user', () => payments({ user: middle })],
    ['payments of two weeks, a month ago', () => payments({ from: aMonthAgo, to: twoWeeksAgo })],
    ['payments above $9,990', () => payments({ min: 9_990 })],
    ['payments, completed, above $9,990', () => payments({ min: 9_990, state: 'completed' })],
    ['payments by the beginning of an order', () => payments({ text: `ORD-${middle}-` })],
    ['payments by a user name', () => payments({ text: `customer${middle}` })],
    ['cards: total and successful payments', () => paymentAdministration.totals(admin)],
    ['card: users, total and active', () => userStats.count(admin)],
  ]
  const began = performance.now()
  await userAdministration.refreshBalanceOrder()
  await userStats.refresh()
  console.log(`  the job of every minute took ${Math.round(performance.now() - began)} ms`)
  const figures: Figures = new Map()
  for (const [name, step] of steps) {
    await step()
    const { p50Ms, p99Ms } = await measure(
      { workers: 1, mostSteps: 1_000, mostMs: SECONDS * 1_000 },
      async () => {
        await step()
      },
    )
    figures.set(name, p50Ms)
    console.log(
      `  ${name.padEnd(44)} p50 ${p50Ms.toFixed(2).padStart(8)} ms  p99 ${p99Ms.toFixed(2).padStart(8)} ms`,
    )
  }
  return figures
}
