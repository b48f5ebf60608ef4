import type { TrustedAddress } from '@trunkline/contract/trusted-addresses'

/** The addresses whose calls need no password. */
export const trustedIn = (addresses: readonly TrustedAddress[] = []): string[] =>
  addresses.filter(({ state, is_shared }) => state !== 'pending' && !is_shared).map(({ address }) => address)
