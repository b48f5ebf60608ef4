import { setTimeout as pause } from 'node:timers/promises'
import { dollars } from '@trunkline/domain/money'
import { startCarrier } from '../../sandbox/carriers/carrier.ts'
import { type ApiClient, signIn, startApi } from '../../sip/test/e2e/api-client.ts'
import { callNumber, newFlow, newNumberTo, newSound, stepBase } from '../../sip/test/e2e/flow-calls.ts'
import { type Customer, type Provider, startProvider, until } from '../../sip/test/e2e/provider.ts'

const CARRIER = '127.0.0.34'
const NUMBER = '442079464001'
const VOICE = 20
const WAV_HEADER_BYTES = 44
const BYTES_PER_SECOND = 8_000

/** A customer whose number takes messages after a greeting of 400 ms, and a carrier. */
async function openMailbox(provider: Provider): Promise<Customer> {
  const carrier = await startCarrier()
  provider.harness.keep(carrier)
  await provider.newTrunk(carrier, { incoming_sources: [CARRIER] })
  const customer = await provider.newCustomer({ balance: dollars(100) })
  const greeting = await newSound(provider, customer.id, 1)
  const voicemail = { ...stepBase('voicemail'), kind: 'voicemail', greeting, maxSeconds: 60 } as const
  const flowId = await newFlow(provider, customer.id, { start: 'voicemail', steps: [voicemail] })
  await newNumberTo(provider, customer, NUMBER, { kind: 'flow', flowId })
  await provider.settle()
  return customer
}

/** Size of a WAV file of this length, as it is listed: with two decimals. */
const bytesOf = (seconds: number): number => WAV_HEADER_BYTES + (seconds - 0.01) * BYTES_PER_SECOND

/** Milliseconds from the BYE until the API has answered with the complete sound. */
async function leaveMessage(provider: Provider, api: ApiClient, seconds: number): Promise<number> {
  const { messages: before } = await api.ask('GET /api/voicemail')
  const { call, end } = await callNumber(provider, CARRIER, NUMBER)
  end.plays(VOICE)
  await until(async () => {
    const recording = provider.db.selectFrom('voicemails').select('id').where('state', '=', 'recording')
    return (await recording.execute()).length === 1
  }, 'the recording of a message')
  await pause(seconds * 1_000)
  const from = performance.now()
  const hungUp = call.hangUp()
  for (;;) {
    const { messages } = await api.ask('GET /api/voicemail')
    const [newest] = messages
    const isNew = newest !== undefined && newest.id !== before[0]?.id
    const sound = isNew ? await api.file(`/api/voicemail/${newest.id}/audio`) : null
    // The caller is silent while the host gives this process no time, so the message can be shorter.
    if (isNew && sound && sound.length >= bytesOf(newest.seconds)) break
    if (performance.now() - from > 60_000) throw new Error('the message did not arrive within a minute')
    await pause(5)
  }
  const took = performance.now() - from
  await hungUp
  return took
}

/** Times of messages over the whole path: Kamailio, rtpengine, media, PostgreSQL, sound files, API. In milliseconds, sorted. */
export async function measureVoicemail(messages: number, seconds: number): Promise<number[]> {
  const provider = await startProvider()
  try {
    await provider.startMedia('bench')
    const url = await startApi(provider)
    const api = await signIn(provider, url, await openMailbox(provider))
    const times: number[] = []
    for (let message = 0; message < messages; message++)
      times.push(await leaveMessage(provider, api, seconds))
    return times.toSorted((one, other) => one - other)
  } finally {
    await provider.close()
  }
}
