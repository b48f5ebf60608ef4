import { Readable } from 'node:stream'
import { ownMessages } from '@trunkline/contract/messages'
import type { Caller } from '@trunkline/domain/access'
import { defineHandlers, Streamed } from '../../../platform/handler.ts'
import { viewPrefixRate } from '../prefix-rates/wire.ts'
import type { RateDecks } from './service.ts'

export const rateDeckEndpoints = (decks: RateDecks) =>
  defineHandlers({
    'GET /api/trunks/:id/rates': async ({ caller, params, query }) => {
      const page = await decks.page(caller, 'trunk', params.id, query)
      return { ...page, rates: page.rates.map(viewPrefixRate) }
    },

    'GET /api/trunks/:id/rates.csv': ({ caller, params }) => asFile(decks, caller, 'trunk', params.id),

    'POST /api/trunks/:id/rate-deck/check': async ({ caller, params, body }) => ({
      check: await decks.check(caller, 'trunk', params.id, body),
    }),

    'POST /api/trunks/:id/rate-deck': ({ caller, params, body }) =>
      decks.apply(caller, 'trunk', params.id, body),

    'GET /api/routes/:id/rates': async ({ caller, params, query }) => {
      const page = await decks.page(caller, 'route', params.id, query)
      return { ...page, rates: page.rates.map(viewPrefixRate) }
    },

    'GET /api/routes/:id/rates.csv': ({ caller, params }) => asFile(decks, caller, 'route', params.id),

    'POST /api/routes/:id/rate-deck/check': async ({ caller, params, body }) => ({
      check: await decks.check(caller, 'route', params.id, body),
    }),

    'POST /api/routes/:id/rate-deck': ({ caller, params, body }) =>
      decks.apply(caller, 'route', params.id, body),
    'GET /api/trunks/:id/rate-decks': async ({ caller, params }) => ({
      decks: await decks.list(caller, 'trunk', params.id),
    }),
    'GET /api/routes/:id/rate-decks': async ({ caller, params }) => ({
      decks: await decks.list(caller, 'route', params.id),
    }),
    'DELETE /api/admin/rate-decks/:id': async ({ caller, params }) => {
      await decks.cancel(caller, params.id)
      return { message: ownMessages.deckCanceled }
    },
  })

async function asFile(decks: RateDecks, caller: Caller, shelf: 'trunk' | 'route', id: number) {
  const text = await decks.csv(caller, shelf, id)
  return new Streamed(Readable.from([text]), {
    'content-disposition': `attachment; filename="${shelf}-${id}-rates.csv"`,
  })
}
