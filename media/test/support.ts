import { createServer } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { Conversation, Endpoint, EndpointOptions, IncomingCall } from '../endpoint.ts'
import { decodeG711 } from '../g711.ts'
import { startEndpoint } from '../start-endpoint.ts'
import { join, recognize } from '../tones.ts'

export const HOST = '127.0.0.1'

/** An endpoint for one test. Errors of its listeners fail the test. */
export async function start(
  onCall: (call: IncomingCall) => void = () => {},
  options: Partial<EndpointOptions> = {},
): Promise<Endpoint> {
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
    expect(endpoint.liveCalls()).toBe(0)
  })
  return endpoint
}

export const place = (from: Endpoint, to: { port: number }, user = 'flow') =>
  from.call({ host: HOST, port: to.port, user, username: 'media', password: 'secret' })

/** Places a call that must be answered. */
export async function talk(from: Endpoint, to: { port: number }, user = 'flow'): Promise<Conversation> {
  const result = await place(from, to, user).result
  if (result.type === 'failed') throw new Error(`${result.code} ${result.reason}`)
  return result.conversation
}

type Connect = (caller: Conversation, called: Conversation) => void

/** A called party, and an endpoint that calls it for each caller and connects both. */
export async function startMiddle(connect: Connect) {
  const atCalled = later<Conversation>()
  const middle = later<[toCaller: Conversation, toCalled: Conversation]>()
  const called = await start(async (incoming) => atCalled.resolve(await incoming.answer()))
  const ivr = await start(async (incoming) => {
    const caller = await incoming.answer()
    const toCalled = await talk(ivr, called)
    connect(caller, toCalled)
    middle.resolve([caller, toCalled])
  })
  return { ivr, called: atCalled.promise, middle: middle.promise }
}

/** Collects the sound that a conversation hears. */
export function record(conversation: Conversation): () => Int16Array {
  const packets: Int16Array[] = []
  conversation.listen((packet) => packets.push(decodeG711(packet, 'alaw')))
  return () => join(...packets)
}

/** The prompts in a sound. A busy machine may interrupt a prompt, so neighbors that are the same count once. */
export const promptsIn = (sound: Int16Array): number[] =>
  recognize(sound).filter((number, at, all) => number !== all[at - 1])

export const ended = (conversation: Conversation) =>
  new Promise<'them' | 'us'>((resolve) => conversation.onEnd(resolve))

/** A promise that is resolved from outside. */
export const later = <T>() => Promise.withResolvers<T>()

/** A port that nobody uses at this moment. */
export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, HOST, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
