import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Conversation } from '../endpoint.ts'
import { headerOf, tagOf } from '../sip/message.ts'
import { callerRequest, newCallId, sdp, startPeer } from './peer.ts'
import { ended, place, start } from './support.ts'

const body = fc.oneof(
  fc.constantFrom(
    '',
    sdp(9),
    sdp(9, { types: '18' }),
    sdp(9, { direction: 'inactive' }),
    sdp(11, { types: '0' }),
  ),
  fc.string({ maxLength: 60 }),
)
const method = fc.constantFrom(
  'INVITE',
  'ACK',
  'CANCEL',
  'UPDATE',
  'INFO',
  'OPTIONS',
  'PRACK',
  'REFER',
  'NOTIFY',
)

describe('random messages', () => {
  it('inside a call are all replied to, and the call still ends', async () => {
    const conversations: Conversation[] = []
    const ivr = await start(async (incoming) => conversations.push(await incoming.answer()))
    const peer = await startPeer()
    await peer.connectTo(ivr.port)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ method, cseq: fc.integer({ min: 0, max: 40 }), body }), { maxLength: 12 }),
        async (requests) => {
          const callId = newCallId()
          peer.send(callerRequest(peer, 'INVITE', 1, { callId, body: sdp(9) }))
          const toTag = tagOf(headerOf(await peer.response(200), 'to'))
          peer.send(callerRequest(peer, 'ACK', 1, { callId, toTag }))
          for (const request of requests)
            peer.send(
              callerRequest(peer, request.method, request.cseq, { callId, toTag, body: request.body }),
            )
          const conversation = conversations.at(-1)
          peer.send(callerRequest(peer, 'BYE', 1_000, { callId, toTag }))
          await peer.response(200, 'BYE')
          expect(conversation && (await ended(conversation))).toBe('them')
          const expected = requests.filter((request) => request.method !== 'ACK').length
          const replies = peer.arrived.filter(
            (message) =>
              'status' in message && message.status >= 200 && headerOf(message, 'call-id') === callId,
          )
          expect(replies.length).toBeGreaterThanOrEqual(expected)
          peer.arrived.length = 0
        },
      ),
      { numRuns: 60 },
    )
    expect(ivr.liveCalls()).toBe(0)
  })

  it('as replies to a placed call lead to one result', { timeout: 120_000 }, async () => {
    const phone = await start()
    const peer = await startPeer()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ status: fc.integer({ min: 100, max: 699 }), body }), { maxLength: 6 }),
        fc.boolean(),
        async (replies, isCanceled) => {
          const call = place(phone, peer)
          const invite = await peer.request('INVITE')
          for (const reply of replies) peer.reply(invite, reply.status, 'Any', { body: reply.body })
          if (isCanceled) call.cancel()
          peer.reply(invite, 486, 'Busy Here')
          const result = await call.result
          if (result.type === 'answered') result.conversation.hangUp()
          await expect.poll(() => phone.liveCalls()).toBe(0)
          for (const message of peer.arrived.splice(0))
            if ('method' in message && message.method === 'BYE') peer.reply(message, 200, 'OK')
        },
      ),
      { numRuns: 60 },
    )
  })
})
