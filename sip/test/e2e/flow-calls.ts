import type { Flow, FlowLogEntry, Sound } from '@trunkline/domain/flows'
import { type Micros, micros } from '@trunkline/domain/money'
import type { Destination } from '@trunkline/domain/ringing'
import { expect } from 'vitest'
import { encode } from '../../../media/encode.ts'
import { decodeG711 } from '../../../media/g711.ts'
import { recognize, signature } from '../../../media/tones.ts'
import { mediaTarget } from '../../../sandbox/carriers/sip-message.ts'
import { openSoundEnd, type SoundEnd } from '../sound-end.ts'
import { type Customer, type Provider, until } from './provider.ts'

/** Customers whose numbers lead to flows, and callers who recognize the prompts by their tones. */

/** A sound of the customer's library that callers recognize by its number. */
export async function newSound({ db }: Provider, userId: number, number: number, ms = 400): Promise<Sound> {
  const { alaw, ulaw } = encode(signature(number, ms))
  const { id } = await db
    .insertInto('sounds')
    .values({
      user_id: userId,
      name: `Sound ${number}`,
      origin: 'upload',
      seconds: ms / 1_000,
      alaw: Buffer.from(alaw),
      ulaw: Buffer.from(ulaw),
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { kind: 'file', soundId: id }
}

/** Fields that every step has. */
export const stepBase = (id: string, exits: Record<string, string> = {}) => ({
  id,
  name: id,
  x: 0,
  y: 0,
  exits,
})

/** A flow with a published version. */
export async function newFlow(
  { db }: Provider,
  userId: number,
  drawing: Flow,
  name = 'Reception',
): Promise<number> {
  const flow = JSON.stringify(drawing)
  const now = new Date()
  const { id } = await db
    .insertInto('flows')
    .values({
      user_id: userId,
      name,
      draft: flow,
      secret: 'secret',
      created_at: now,
      updated_at: now,
      published_version: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('flow_versions')
    .values({ flow_id: id, number: 1, flow, published_at: now, published_by: userId })
    .execute()
  return id
}

/** A number that always leads to the destination. */
export const newNumberTo = (
  provider: Provider,
  owner: Customer,
  e164: string,
  destination: Destination,
): Promise<number> =>
  provider.newNumber(owner, e164, {
    max_calls: 100,
    plan: { timeZone: 'UTC', rules: [], destination, fallback: null },
  })

/** Calls a number from the address of a carrier. The call is answered when this resolves. */
export async function callNumber({ harness }: Provider, from: string, number: string) {
  const phone = await harness.phone({ from })
  const end = harness.keep(await openSoundEnd(from))
  const call = await phone.call(number, [], (host) => end.describe(host))
  const answer = await call.ended
  if (answer.status !== 200) throw new Error(`the call to ${number} got ${answer.status} ${answer.reason}`)
  end.aim(mediaTarget(answer.body))
  return { call, end }
}

/** Resolves when the caller has heard the sound. */
export const hears = (end: SoundEnd, number: number, times = 1): Promise<true> =>
  until(
    async () => end.hears().filter((heard) => heard === number).length >= times,
    `signature ${number}, not ${end.hears()}`,
    30_000,
  )

export const recordingsOf = ({ db }: Provider, { id }: Customer) =>
  db.selectFrom('recordings').selectAll().where('user_id', '=', id).orderBy('id').execute()

/** The signatures that are heard in each channel of a recording. */
export async function channelsOf(provider: Provider, file: string): Promise<Set<number>[]> {
  const stored = await provider.sounds().read({ file, storage: 'folder' })
  const { samples, channels } = stored ?? { samples: new Uint8Array(), channels: 0 }
  return Array.from({ length: channels }, (_, channel) => {
    const own = samples.filter((_sample, at) => at % channels === channel)
    return new Set(recognize(decodeG711(own, 'alaw')))
  })
}

/** The log of a flow, as a media process has stored it. */
export async function storedLog({ db }: Provider, callId: string): Promise<FlowLogEntry[]> {
  const rows = await db
    .selectFrom('media_call_steps')
    .select('entry')
    .where('call_id', '=', callId)
    .orderBy('position')
    .execute()
  return rows.map(({ entry }) => entry)
}

export const allEnded = (provider: Provider): Promise<true> =>
  until(async () => (await provider.liveCalls()).length === 0, 'end of all calls', 30_000)

/** The customer has paid what the records say, nothing is on hold, and the books are right. */
export async function moneyIsRight(provider: Provider, { id }: Customer, balance: Micros): Promise<void> {
  const charged = (await provider.cdrs(id)).reduce((sum, { cost_micros }) => sum + cost_micros, 0n)
  expect(await provider.balanceOf(id)).toEqual({
    balanceMicros: micros(balance - charged),
    heldMicros: 0n,
  })
  expect(await provider.faults()).toEqual([])
}

/** Ends a test: its calls, numbers and trunks. */
export async function resetNumbers(provider: Provider): Promise<void> {
  await provider.harness.reset()
  await provider.db.deleteFrom('number_rentals').execute()
  await provider.db.deleteFrom('numbers').execute()
  await provider.dropTrunks()
}
