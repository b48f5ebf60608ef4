import type { NewAlert } from '../alerts/service.ts'

/** Informs the customer, because calls from there use their balance. */
export const addressTrusted = (userId: number, address: string): NewAlert => ({
  kind: 'address_trusted',
  subject: `address:${userId}:${address}`,
  userId,
  message: `Calls from ${address} no longer need the SIP password.`,
  details: { address },
})
