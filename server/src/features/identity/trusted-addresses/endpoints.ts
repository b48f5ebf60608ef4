import { messages, ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { TrustedAddresses } from './service.ts'

export const trustedAddressEndpoints = (trusted: TrustedAddresses) =>
  defineHandlers({
    'POST /api/user/host': async ({ caller, body: { host } }) => {
      await trusted.changeOwn(caller, { kind: 'host', host })
      return { host, message: messages.hostUpdated }
    },

    'GET /api/user/addresses': async ({ caller }) => ({ addresses: await trusted.own(caller) }),

    'POST /api/user/addresses': async ({ caller, body: { address } }) => {
      const addresses = await trusted.changeOwn(caller, { kind: 'add', address })
      const isPending = addresses.find((one) => one.address === address)?.state === 'pending'
      return { addresses, message: isPending ? ownMessages.addressClaimed : ownMessages.addressProven }
    },

    'DELETE /api/user/addresses/:id': async ({ caller, params: { id } }) => ({
      addresses: await trusted.changeOwn(caller, { kind: 'remove', id }),
      message: ownMessages.addressRemoved,
    }),

    'GET /api/admin/users/:id/addresses': async ({ caller, params: { id } }) => ({
      addresses: await trusted.ofUser(caller, id),
    }),

    'POST /api/admin/users/:id/addresses': async ({ caller, params: { id }, body }) => ({
      addresses: await trusted.approve(caller, id, body),
      message: ownMessages.addressApproved,
    }),

    'DELETE /api/admin/addresses/:id': async ({ caller, params: { id } }) => {
      await trusted.revoke(caller, id)
      return { message: ownMessages.addressRevoked }
    },
  })
