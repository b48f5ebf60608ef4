import type { NewAlert } from '../alerts/service.ts'

/** The customer should know: whoever calls from there spends their balance. */
export const addressTrusted = (userId: number, address: string): NewAlert => ({
  kind: 'address_trusted',
  subject: `address:${userId}:${address}`,
  userId,
  message: `Calls from ${address} no longer need the SIP password.`,
  details: { address },
})
