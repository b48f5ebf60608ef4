import { dollars } from '@trunkline/domain/money'
import { connectRtpengine } from '@trunkline/media/rtpengine/client'
import { createRecordingBooking } from '@trunkline/server/features/calls/recordings/booking'
import { systemClock } from '@trunkline/server/platform/clock'
import { pino } from 'pino'
import { expect } from 'vitest'
import { mediaTarget } from '../../../sandbox/carriers/sip-message.ts'
import { startCalledPhone } from '../called-phone.ts'
import { openSoundEnd, type SoundEnd } from '../sound-end.ts'
import { channelsOf, recordingsOf } from './flow-calls.ts'
import { planOf, toPhones } from './incoming-calls.ts'
import { type Customer, LONDON, type Provider, until } from './provider.ts'

export const BALANCE = dollars(100)
export const CALLER_VOICE = 3
export const CALLEE_VOICE = 9

/** Customers who record the calls that they dial, and their recordings. */
export function dialedRecordings(provider: Provider) {
  type Wishes = { is_allowed?: boolean; records_dialed?: boolean; announces?: boolean }

  /** A customer who records dialed calls, and a carrier that answers with a voice. */
  async function createCaller(wishes: Wishes = {}) {
    const owner = await provider.newCustomer({ balance: BALANCE })
    await provider.db
      .insertInto('recording_settings')
      .values({ user_id: owner.id, is_allowed: true, records_dialed: true, ...wishes })
      .execute()
    return owner
  }

  let numbers = 0

  /** Another customer, whose phone answers with a voice. */
  async function createFriend(plan = planOf(toPhones(20))) {
    const friend = await provider.newCustomer({ balance: BALANCE })
    const number = `4420794640${String(++numbers).padStart(2, '0')}`
    await provider.newNumber(friend, number, { plan })
    await provider.settle()
    const far = provider.harness.keep(await openSoundEnd())
    const carrier = await startCalledPhone(provider.harness, friend.account, {
      habit: 'answers',
      describe: (host) => far.describe(host),
    })
    await carrier.register()
    return { friend, number, carrier, far }
  }

  async function startVoices() {
    const far = provider.harness.keep(await openSoundEnd())
    const carrier = await startCalledPhone(
      provider.harness,
      { user: 'carrier', password: '' },
      { habit: 'answers', describe: (host) => far.describe(host) },
    )
    await provider.newTrunk({ host: '127.0.0.1', port: carrier.phone.line.port })
    await provider.settle()
    return { carrier, far }
  }

  type Callee = Awaited<ReturnType<typeof startCalledPhone>>

  /** The call is answered when this resolves. Both sides talk from then on. */
  async function dial(
    caller: Parameters<Provider['harness']['phone']>[0],
    { carrier, far }: { carrier: Callee; far: SoundEnd },
    number = LONDON,
  ) {
    const calls = carrier.invites().length
    const phone = await provider.harness.phone(caller)
    const near = provider.harness.keep(await openSoundEnd(caller?.from))
    const call = await phone.call(number, [], (host) => near.describe(host))
    const answer = await call.ended
    expect(answer.status).toBe(200)
    near.aim(mediaTarget(answer.body))
    far.aim(mediaTarget((await carrier.rung(calls + 1)).body))
    near.plays(CALLER_VOICE)
    far.plays(CALLEE_VOICE)
    return { call, near, far }
  }

  /** A call of a customer who records it, to a carrier that answers with a voice. */
  async function dialRecorded(wishes?: Wishes) {
    const owner = await createCaller(wishes)
    const voices = await startVoices()
    return { owner, voices, ...(await dial({ account: owner.account }, voices)) }
  }

  const isRecorded = (owner: Customer) =>
    until(async () => (await recordingsOf(provider, owner)).length === 1, 'a recording', 30_000)

  const isFinished = (owner: Customer) =>
    until(async () => (await recordingsOf(provider, owner))[0]?.state === 'ready', 'the recording', 30_000)

  /** The recording has these voices so far. It can have gaps where the machine stopped, so both sides go on until then. */
  async function contains(owner: Customer, caller: number, callee: number): Promise<void> {
    const [{ file = '' } = {}] = await recordingsOf(provider, owner)
    const has = async () => {
      const [left, right] = await channelsOf(provider, file)
      return left?.has(caller) && right?.has(callee)
    }
    await until(has, `${caller} and ${callee} in the recording`, 30_000)
  }

  /** Books the price of all finished recordings, as the worker does. */
  const bookRecordings = () =>
    createRecordingBooking({
      db: provider.db,
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      ledger: provider.ledger,
      audit: { write: async () => {} } as never,
    }).run()

  /** rtpengine has freed the ports of all calls. */
  async function isAudioEnded(): Promise<void> {
    const port = provider.harness.running.rtpenginePort
    const rtpengine = await connectRtpengine({ host: '127.0.0.1', port })
    const left = async () => (await rtpengine.ask('list', { limit: 10 })).calls as unknown[]
    await until(async () => (await left()).length === 0, 'the end of the audio', 15_000)
    rtpengine.close()
  }

  return {
    createCaller,
    createFriend,
    startVoices,
    dial,
    dialRecorded,
    isRecorded,
    isFinished,
    contains,
    bookRecordings,
    isAudioEnded,
  }
}
