import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers, Streamed } from '../../../platform/handler.ts'
import type { LiveCalls } from './service.ts'
import type { LiveStreams } from './streams.ts'

export const liveCallEndpoints = (liveCalls: LiveCalls, streams: LiveStreams) =>
  defineHandlers({
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
