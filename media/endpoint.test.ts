import { describe, expect, it, onTestFinished } from 'vitest'
import { encode } from './encode.ts'
import type { Conversation, Endpoint, EndpointOptions, IncomingCall } from './endpoint.ts'
import { decodeG711 } from './g711.ts'
import { startEndpoint } from './start-endpoint.ts'
import { join, recognize, signature } from './tones.ts'

const HOST = '127.0.0.1'

async function start(onCall: (call: IncomingCall) => void, options: Partial<EndpointOptions> = {}) {
  const errors: unknown[] = []
  const endpoint = await startEndpoint({
    host: HOST,
    port: 0,
    isAllowed: (address) => address === HOST,
    onCall,
    onError: (error) => errors.push(error),
    ...options,
  })
  onTestFinished(async () => {
    await endpoint.close()
    expect(errors).toEqual([])
  })
  return endpoint
}

const call = (from: Endpoint, to: Endpoint, user = 'flow') =>
  from.call({ host: HOST, port: to.port, user, username: 'media', password: 'secret' })

async function answered(from: Endpoint, to: Endpoint): Promise<Conversation> {
  const result = await call(from, to).result
  if (result.type === 'failed') throw new Error(`${result.code} ${result.reason}`)
  return result.conversation
}

/** Collects what a conversation hears. */
function record(conversation: Conversation): () => Int16Array {
  const packets: Int16Array[] = []
  conversation.listen((packet) => packets.push(decodeG711(packet, 'alaw')))
  return () => join(...packets)
}

const ended = (conversation: Conversation) =>
  new Promise<'them' | 'us'>((resolve) => conversation.onEnd(resolve))

describe('a call', () => {
  it('plays prompts, hears keys once and in order, and ends', async () => {
    const keys: string[] = []
    const played: boolean[] = []
    let end: Promise<string> | null = null
    const ivr = await start(async (incoming) => {
      expect(incoming.user).toBe('flow')
      expect(incoming.from.user).toBe('media')
      const conversation = await incoming.answer()
      end = ended(conversation)
      conversation.onKey((key) => {
        keys.push(key)
        void conversation.play(encode(signature(Number(key)))).done.then((done) => played.push(done))
      })
      played.push(await conversation.play(encode(signature(12))).done)
    })
    const phone = await start(() => {})
    const conversation = await answered(phone, ivr)
    const heard = record(conversation)
    await expect.poll(() => recognize(heard())).toEqual([12])
    await expect.poll(() => played).toEqual([true])
    conversation.press('3')
    await expect.poll(() => recognize(heard())).toEqual([12, 3])
    await expect.poll(() => played).toEqual([true, true])
    conversation.press('77')
    await expect.poll(() => recognize(heard()).at(-1)).toBe(7)
    await expect.poll(() => played.length).toBe(4)
    expect(keys).toEqual(['3', '7', '7'])
    expect(played).toEqual([true, true, false, true])
    expect(ivr.liveCalls()).toBe(1)
    conversation.hangUp()
    expect(await end).toBe('them')
    expect(await ended(conversation)).toBe('us')
    expect(ivr.liveCalls()).toBe(0)
    expect(phone.liveCalls()).toBe(0)
  })
})
