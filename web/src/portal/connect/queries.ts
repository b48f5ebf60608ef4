import { queryOptions } from '@tanstack/react-query'
import { USER_REFRESH_MS } from '@trunkline/contract/limits'
import type { TrustedAddress } from '@trunkline/contract/trusted-addresses'
import { api } from '../../app/api.ts'

export const sipQuery = queryOptions({
  queryKey: ['sip'],
  queryFn: ({ signal }) => api('GET /api/user/sip', { signal }),
})

/** Trusted and pending addresses. */
export const addressesQuery = queryOptions({
  queryKey: ['trusted-addresses'],
  queryFn: async ({ signal }) => (await api('GET /api/user/addresses', { signal })).addresses,
  refetchInterval: USER_REFRESH_MS,
})

/** The phones that are registered now. */
export const registrationsQuery = queryOptions({
  queryKey: ['registrations'],
  queryFn: async ({ signal }) => (await api('GET /api/registrations', { signal })).registrations,
  refetchInterval: USER_REFRESH_MS,
})

/** The addresses whose calls need no password. */
export const trustedIn = (addresses: readonly TrustedAddress[] = []): string[] =>
  addresses.filter(({ state, is_shared }) => state !== 'pending' && !is_shared).map(({ address }) => address)
