import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { USER_REFRESH_MS } from '@trunkline/contract/limits'
import { paymentStates } from '@trunkline/contract/payment-states'
import type { Payment } from '@trunkline/contract/payments'
import { ApiError, api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { refresh } from '../../app/session.ts'
import { cursorPages } from '../../common/cursor-pages.ts'

/** Poll interval of a payment in progress. */
const WATCH_MS = 2_500

/** Waits for the customer's payment, not for a review. */
export const isArriving = ({ state }: Payment): boolean =>
  state === 'pending' || state === 'paying' || state === 'underpaid'

/** Its state can still change. */
const isUnderWay = ({ state }: Payment): boolean => paymentStates[state].status === 'Pending'

export const historyQuery = infiniteQueryOptions({
  queryKey: ['payments', 'history'],
  queryFn: ({ pageParam, signal }) =>
    api('GET /api/payments', { query: pageParam === null ? {} : { before: pageParam }, signal }),
  ...cursorPages,
  // Only payments on the first page can still change.
  refetchInterval: ({ state }) => (state.data?.pages[0]?.payments.some(isUnderWay) ? USER_REFRESH_MS : false),
})

export const rereadHistory = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: historyQuery.queryKey })

/**
 * The payment with the given id, or the newest of its kind; null if there is none. After settlement it also refreshes the
 * balance, so that both change on the screen together.
 */
export const returnedPaymentQuery = (id: number | null, kind: Payment['kind']) =>
  queryOptions({
    queryKey: ['payments', 'returned', id ?? kind],
    queryFn: async ({ signal }): Promise<Payment | null> => {
      const payment = id === null ? await newest(kind, signal) : await one(id, signal)
      if (payment && !isUnderWay(payment)) await refresh().catch(() => {})
      return payment
    },
    refetchInterval: ({ state: { data, error } }) => {
      if (error && !isPassing(error)) return false
      if (!data || isArriving(data)) return WATCH_MS
      return isUnderWay(data) && USER_REFRESH_MS
    },
    refetchOnWindowFocus: 'always',
    gcTime: 0,
  })

/** 4xx responses are final; other errors may be temporary. */
export const isPassing = (error: Error): boolean =>
  !(error instanceof ApiError) || error.unreachable || error.status >= 500

async function one(id: number, signal: AbortSignal): Promise<Payment> {
  const { payment } = await api('GET /api/payments/:id', { params: { id }, signal })
  return payment
}

async function newest(kind: Payment['kind'], signal: AbortSignal): Promise<Payment | null> {
  const { payments } = await api('GET /api/payments', { query: {}, signal })
  return payments.find((payment) => payment.kind === kind) ?? null
}
