import type { Ask } from './person.ts'

/** Requests of the web app's screens (web/src/portal, web/src/admin), initial and polled. */
export type Screen = {
  once: readonly Ask[]
  /** Polled while the screen is open. */
  every?: readonly (readonly [ms: number, ask: Ask])[]
  /** Requested after the end of a call, at most every ten seconds. */
  afterCalls?: readonly Ask[]
}

const timezone = 'Europe/London'
const CHECKED = 10_000
const LIVE = 5_000
const SLOWLY = 60_000

const repeated = (ms: number, ...asks: Ask[]) => asks.map((ask) => [ms, ask] as const)

const charts: Ask = ['GET /api/dashboard/charts', { query: { timezone } }]
const records: Ask = ['GET /api/cdr', { query: { timezone } }]
const ownAlerts: Ask = ['GET /api/alerts', { query: { limit: 5 } }]

const home: Screen = {
  once: [['GET /api/auth/verify'], ['GET /api/dashboard/stats'], charts, ['GET /api/user/callerid']],
  every: repeated(SLOWLY, ['GET /api/dashboard/stats'], charts),
  afterCalls: [['GET /api/dashboard/stats'], charts, ['GET /api/auth/me']],
}

export const portalScreens: readonly Screen[] = [
  // The most used screen.
  home,
  home,
  { once: [records, ['GET /api/cdr/totals']], every: repeated(LIVE, records) },
  {
    once: [['GET /api/cdr', { query: { timezone, status: 'completed', search: '4420' } }]],
    every: repeated(LIVE, ['GET /api/cdr', { query: { timezone, status: 'completed' } }]),
  },
  { once: [['GET /api/payments'], ['GET /api/auth/me']], every: repeated(CHECKED, ['GET /api/payments']) },
  {
    once: [
      ['GET /api/routes'],
      ['GET /api/user-selected-route'],
      ['GET /api/routes/quality'],
      ['GET /api/pricing/quote', { query: { number: '442079460123' } }],
    ],
  },
  {
    once: [['GET /api/auth/verify'], ['GET /api/user/sessions'], ['GET /api/user/guards'], ownAlerts],
    every: repeated(CHECKED, ownAlerts),
  },
  {
    once: [['GET /api/user/sip'], ['GET /api/registrations']],
    every: repeated(CHECKED, ['GET /api/registrations']),
  },
  { once: [['GET /api/support/tickets']], every: repeated(CHECKED, ['GET /api/support/tickets']) },
  { once: [['GET /api/calls/records'], ['GET /api/live-calls-details'], ['GET /api/trunks']] },
]

const business: Ask = ['GET /api/admin/dashboard/business', { query: { days: 30, timezone } }]
const everybodysRecords: Ask = ['GET /api/admin/cdr', { query: { timezone } }]
const payments: Ask = ['GET /api/admin/payments']
const sums: Ask = ['GET /api/admin/payments/totals']
const openReviews: Ask = ['GET /api/admin/payment-reviews', { query: { state: 'open', limit: 1 } }]

/** Requests of the admin panel's layout. */
export const adminFrame = repeated(
  CHECKED,
  ['GET /api/admin/alerts', { query: { state: 'open', limit: 1 } }],
  ['GET /api/total-payments'],
  ['GET /api/successful-payments'],
  ['GET /api/user-stats'],
)

export const adminScreens: readonly Screen[] = [
  {
    once: [
      business,
      ['GET /api/trunks'],
      ['GET /api/routes'],
      ['GET /api/admin/payments', { query: { limit: 6 } }],
    ],
    every: [
      ...repeated(CHECKED, ['GET /api/admin/payments', { query: { limit: 6 } }]),
      ...repeated(30_000, ['GET /api/routes']),
      ...repeated(SLOWLY, business, ['GET /api/trunks']),
    ],
    afterCalls: [business],
  },
  {
    once: [
      ['GET /api/users'],
      ['GET /api/users', { query: { search: 'phone', sort: 'name' } }],
      ['GET /api/users', { query: { sort: 'balance' } }],
    ],
  },
  { once: [payments, sums, openReviews], every: repeated(CHECKED, payments, sums, openReviews) },
  {
    once: [
      ['GET /api/trunks'],
      ['GET /api/admin/trunk-figures'],
      ['GET /api/admin/plans'],
      ['GET /api/routes'],
    ],
    every: [...repeated(LIVE, ['GET /api/trunks']), ...repeated(SLOWLY, ['GET /api/admin/trunk-figures'])],
  },
  {
    once: [everybodysRecords, ['GET /api/admin/cdr/totals']],
    every: repeated(LIVE, everybodysRecords),
  },
  {
    once: [['GET /api/admin/alerts'], ['GET /api/admin/alert-settings']],
    every: repeated(CHECKED, ['GET /api/admin/alerts']),
  },
  { once: [['GET /api/admin/audit-log'], ['GET /api/admin/audit-log/choices']] },
  {
    once: [['GET /api/admin/switches'], ['GET /api/admin/try-number', { query: { number: '442079460123' } }]],
  },
]
