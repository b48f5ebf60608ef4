import type { Destination } from '@trunkline/domain/ringing'
import { earlier, SECOND } from '../src/platform/clock.ts'
import { createProviderWithOwner, planTo, rentNumber } from './incoming.ts'
import type { Customer, Telephony } from './telephony.ts'

/** Media processes and flows for tests of call control. */

export const NUMBER = '442079460100'
const STARTED = new Date('2026-11-17T10:00:00.123Z')

/** A media process at a port of loopback. */
export async function seeMedia(
  { db, clock }: Telephony,
  id: string,
  columns: { port?: number; live_calls?: number; copies_audio?: boolean } = {},
): Promise<void> {
  const row = { id, host: '127.0.0.1', port: columns.port ?? 5070, password: 'secret', started_at: STARTED }
  await db
    .insertInto('media_servers')
    .values({ ...row, seen_at: clock.now(), live_calls: 0, ...columns })
    .execute()
}

export async function newFlow({ db, clock }: Telephony, user: Customer, name: string, isPublished = true) {
  const now = clock.now()
  const flow = JSON.stringify({ start: 'a', steps: [] })
  const { id } = await db
    .insertInto('flows')
    .values({
      user_id: user.id,
      name,
      draft: flow,
      secret: 's',
      created_at: now,
      updated_at: now,
      published_version: isPublished ? 1 : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const version = await db
    .insertInto('flow_versions')
    .values({ flow_id: id, number: 1, flow, published_at: now, published_by: user.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, versionId: version.id }
}

/** Lets seconds pass. The media processes give signs of life, except one. */
export async function passWithMedia(phone: Telephony, seconds: number, except = ''): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    const seen = { seen_at: phone.clock.now() }
    await phone.db.updateTable('media_servers').set(seen).where('id', '<>', except).execute()
    await phone.advance(1)
  }
}

/** A customer whose number is answered by a flow, with the call in progress on media process `m1`. */
export async function answeredByFlow() {
  const provider = await createProviderWithOwner()
  const { phone, box, startControl, owner } = provider
  await seeMedia(phone, 'm1')
  const flow = await newFlow(phone, owner, 'Reception')
  await rentNumber(phone, owner, NUMBER, { plan: planTo({ kind: 'flow', flowId: flow.id }) })
  await startControl()
  const allow = await box.incoming(NUMBER)
  const { call } = allow
  await box.answer(call, -1)
  await phone.db
    .insertInto('media_calls')
    .values({
      call_id: `legs/${call}`,
      user_id: owner.id,
      kind: 'flow',
      media_id: 'm1',
      media_started_at: STARTED,
      flow_version_id: flow.versionId,
      started_at: phone.clock.now(),
      ended_at: null,
    })
    .execute()
  let tokens = 0
  const newLeg = async (destination: Destination, columns: { age?: number; media_id?: string } = {}) => {
    const token = `token-${++tokens}`
    await phone.db
      .insertInto('media_legs')
      .values({
        token,
        media_id: columns.media_id ?? 'm1',
        parent_call_id: `legs/${call}`,
        user_id: owner.id,
        destination: JSON.stringify(destination),
        created_at: earlier(phone.clock.now(), (columns.age ?? 0) * SECOND),
      })
      .execute()
    return { to: `leg~${token}`, user: 'media~m1', address: '127.0.0.1' }
  }
  return { ...provider, owner, flow, allow, call, newLeg }
}
