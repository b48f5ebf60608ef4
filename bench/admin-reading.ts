import type { Services } from '@trunkline/server/app/services'
import type { UserSearch } from '@trunkline/server/features/desk/admin-users/service'
import type { PaymentSearch } from '@trunkline/server/features/money/payments/administration'
import { mediansOf } from './measure.ts'

/** Measures the requests of the admin panel's lists and cards, each for a few seconds. */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)
const MAX_STEPS = 1_000
const DAY_MS = 24 * 60 * 60_000
const LIMIT = 20

/** Medians by measurement name. */
export type Figures = Map<string, number>

type Step = [name: string, ask: () => Promise<unknown>]

/** Runs each step on every size. */
export async function measureAdministration(
  sized: { services: Services; size: number }[],
): Promise<Figures[]> {
  const stepsOf = await Promise.all(sized.map(({ services, size }) => prepare(services, size)))
  const figures: Figures[] = sized.map(() => new Map())
  for (const [number, [name]] of stepsOf[0]?.entries() ?? []) {
    const asks = stepsOf.map((steps) => steps[number]?.[1] ?? (() => Promise.resolve()))
    const times = await mediansOf(asks, { mostSteps: MAX_STEPS, mostMs: SECONDS * 1_000 })
    for (const [at, time] of times.entries()) figures[at]?.set(name, time)
    const medians = figures.map((figure) => `${(figure.get(name) ?? 0).toFixed(2).padStart(8)} ms`)
    console.log(`  ${name.padEnd(42)} ${medians.join('   ')}`)
  }
  return figures
}

async function prepare(services: Services, size: number): Promise<Step[]> {
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

  const began = performance.now()
  await userAdministration.refreshBalanceOrder()
  await userStats.refresh()
  console.log(
    `${size.toLocaleString('en')} users: the job of every minute took ${Math.round(performance.now() - began)} ms`,
  )
  return [
    ['users, newest', () => users()],
    ['users, newest, a page in the middle', () => users({ after: `${middle}~${middle}` })],
    ['users by name', () => users({ sort: 'name' })],
    ['users by name, a page in the middle', () => users({ sort: 'name', after: '1~8' })],
    ['users by balance', () => users({ sort: 'balance' })],
    ['users by balance, a page in the middle', () => users({ sort: 'balance', after: '1~250000000' })],
    ['premium users', () => users({ premium: 'yes' })],
    ['premium users by balance', () => users({ premium: 'yes', sort: 'balance' })],
    ['disabled users', () => users({ disabled: 'yes' })],
    ['disabled users by name', () => users({ disabled: 'yes', sort: 'name' })],
    ['search of one name', () => users({ search: user.username })],
    ['search of one e-mail address', () => users({ search: user.email ?? '' })],
    ['search of a company (20 users)', () => users({ search: someCompany })],
    ['search of a company by name', () => users({ search: someCompany, sort: 'name' })],
    ['search that matches every user', () => users({ search: 'customers.example' })],
    [
      'search that matches every user, by balance',
      () => users({ search: 'customers.example', sort: 'balance' }),
    ],
    ['search that matches no user', () => users({ search: 'no such user' })],
    ['search of two letters', () => users({ search: 'a1', sort: 'name' })],
    ['one user with all details', () => userAdministration.get(admin, middle)],
    ['payments, newest', () => payments()],
    ['payments, a page in the middle', () => payments({ before: size * 2 })],
    ['payments that wait', () => payments({ state: 'pending' })],
    ['payments in review', () => payments({ state: 'in_review' })],
    ['payments of one user', () => payments({ user: middle })],
    ['payments of two weeks, a month ago', () => payments({ from: aMonthAgo, to: twoWeeksAgo })],
    ['payments above $9,990', () => payments({ min: 9_990 })],
    ['payments, completed, above $9,990', () => payments({ min: 9_990, state: 'completed' })],
    ['payments by the beginning of an order', () => payments({ text: `ORD-${middle}-` })],
    ['payments by a user name', () => payments({ text: user.username })],
    ['cards: total and successful payments', () => paymentAdministration.totals(admin)],
    ['card: users, total and active', () => userStats.count(admin)],
  ]
}
