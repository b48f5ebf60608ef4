import { ownMessages } from '@trunkline/contract/messages'
import { type HandlersOf, Streamed } from '../../../platform/handler.ts'
import type { LiveCalls } from './service.ts'
import type { LiveStreams } from './streams.ts'

type Addresses =
  | 'GET /api/live-calls'
  | 'GET /api/live-calls-details'
  | 'GET /api/live-calls/stream'
  | 'POST /api/live-calls/hangup'
  | 'GET /api/admin/live-calls'
  | 'GET /api/admin/live-calls/stream'
  | 'POST /api/admin/live-calls/hangup'

export const liveCallEndpoints = (liveCalls: LiveCalls, streams: LiveStreams): HandlersOf<Addresses> => ({
  'GET /api/live-calls': async ({ caller }) => ({ liveCalls: await liveCalls.count(caller) }),

  'GET /api/live-calls-details': async ({ caller }) => ({ liveCallsDetails: await liveCalls.list(caller) }),

  'GET /api/live-calls/stream': async ({ caller, token, query }) =>
    new Streamed(await streams.openOwn(caller, token, query.after)),

  'POST /api/live-calls/hangup': async ({ caller, body }) => {
    await liveCalls.hangUp(caller, body.uniqueid)
    return { message: ownMessages.hangUpAsked }
  },

  'GET /api/admin/live-calls': ({ caller, query }) => liveCalls.listEverybodys(caller, query),

  'GET /api/admin/live-calls/stream': async ({ caller, token, query }) =>
    new Streamed(await streams.openEverybodys(caller, token, query.after)),

  'POST /api/admin/live-calls/hangup': async ({ caller, body }) => {
    await liveCalls.hangUpAnybodys(caller, body.uniqueid, body.reason || null)
    return { message: ownMessages.hangUpAsked }
  },
})
