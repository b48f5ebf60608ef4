import type { APIRequestContext } from '@playwright/test'
import { signature } from '../../media/tones.ts'
import { writeWav } from '../../media/wav.ts'
import { mediaTarget } from '../../sandbox/carriers/sip-message.ts'
import { type CalledPhone, startCalledPhone } from '../../sip/test/called-phone.ts'
import { createPhone } from '../../sip/test/phone.ts'
import { openSoundEnd } from '../../sip/test/sound-end.ts'
import { asAdmin } from '../support/admin.ts'
import { bearerOf, canCall, LONDON, signIn } from '../support/calls.ts'
import { dial, expect, keepConnections, openPhone, recordsOf } from '../support/phone.ts'
import { signUp } from '../support/story.ts'
import {
  answerInBrowser,
  BROWSER,
  CALLER,
  cardOf,
  MAX_CALLS,
  receiveCalls,
  test,
} from '../support/voice-story.ts'
import { allowRecording, heardInBrowser, listenInBrowser, recordingsOf, voicesIn } from '../support/voices.ts'

const ANNOUNCEMENT = 40
const PAUSED = 30

type Wishes = { records_all: boolean; records_dialed: boolean; announces: boolean }

async function recordCalls(request: APIRequestContext, headers: { authorization: string }, wishes: Wishes) {
  await allowRecording(request, headers)
  const { settings } = await (await request.get('/api/recording-settings', { headers })).json()
  const data = { ...wishes, days_kept: 30, version: settings.version }
  expect((await request.put('/api/recording-settings', { headers, data })).ok()).toBe(true)
}

/** Replaces the announcement with a signature. */
async function announceBySignature(
  { headers }: { headers: { authorization: string } },
  request: APIRequestContext,
) {
  const wav = Buffer.from(writeWav([signature(ANNOUNCEMENT, 4_000)])).toString('base64')
  const prompt = '/api/admin/system-prompts/en/recording_announcement'
  expect((await request.put(prompt, { headers, data: { wav } })).ok()).toBe(true)
}

test('a recorded call that the browser answers has both voices in stereo', async ({
  page,
  request,
  caller,
  network,
  sound,
}) => {
  const headers = await bearerOf(request, caller)
  await recordCalls(request, headers, { records_all: true, records_dialed: false, announces: false })
  await receiveCalls(page, caller)
  const callAndTalk = async (calls: number) => {
    const call = await answerInBrowser(page, network, sound)
    // Twice, because a stop of the machine may cut the first.
    for (let times = 0; times < 2; times++) {
      sound.forget()
      await expect.poll(() => sound.hears(), { message: 'the browser at the caller' }).toContain(BROWSER)
    }
    await call.hangUp()
    await page.getByRole('region', { name: 'Phone' }).getByRole('button', { name: 'Done' }).click()
    return { id: await newestCall(request, headers, calls) }
  }
  const { id } = await callUntilRecorded(request, headers, callAndTalk)
  const [recording] = await recordingsOf(request, headers, id)
  const [left, right] = await voicesIn(request, headers, recording)
  expect(left).toContain(CALLER)
  expect(left).not.toContain(BROWSER)
  expect(right).toContain(BROWSER)
  expect(right).not.toContain(CALLER)

  await page.goto('/dashboard/cdr-report')
  // The newest call is first.
  await page
    .getByRole('link', { name: /^Details of/ })
    .first()
    .click()
  await expect(page.getByRole('region', { name: 'Recording' }).getByRole('figure')).toHaveCount(2)
})

/** The newest call, when the report has so many. */
async function newestCall(request: APIRequestContext, headers: { authorization: string }, calls: number) {
  await expect.poll(async () => (await recordsOf(request, headers)).length).toBe(calls)
  const [{ id = '' } = {}] = await recordsOf(request, headers)
  return id
}

/** Calls until a call is recorded, and waits for its recording. */
async function callUntilRecorded<Talk extends { id: string }>(
  request: APIRequestContext,
  headers: { authorization: string },
  callAndTalk: (calls: number) => Promise<Talk>,
): Promise<Talk> {
  let calls = 1
  let talk = await callAndTalk(calls)
  for (; calls < MAX_CALLS && (await recordingsOf(request, headers, talk.id)).length === 0; calls++)
    talk = await callAndTalk(calls + 1)
  const ready = async () => (await recordingsOf(request, headers, talk.id)).map(({ is_ready }) => is_ready)
  await expect.poll(ready).toEqual([true])
  return talk
}

/** A carrier that answers with a voice. All trunks lead to it. */
async function startVoiceCarrier(request: APIRequestContext, switchPort: number) {
  const sound = await openSoundEnd()
  const closing: { close(): unknown }[] = [sound]
  const harness = {
    phone: (given: object) => createPhone({ switchPort, ...given }),
    keep: <Thing extends { close(): unknown }>(thing: Thing): Thing => {
      closing.push(thing)
      return thing
    },
  }
  /** As a carrier, it answers with the type of telephone events that the browser offers. */
  const describe = (host: string): string => {
    const offer = phone.invites().at(-1)?.body ?? ''
    const [, keys = ''] = /^a=rtpmap:(\d+) telephone-event\/8000/m.exec(offer) ?? []
    return sound.describe(host).replace(/\b101\b/g, keys)
  }
  const account = { user: 'carrier', password: '' }
  const phone: CalledPhone = await startCalledPhone(harness, account, { habit: 'answers', describe })
  closing.push(phone.phone)
  const admin = await asAdmin(request)
  const { trunks } = await admin.get('/api/trunks')
  const { port } = phone.phone.line
  for (const { id } of trunks) await admin.send('patch', `/api/trunks/${id}`, { host: '127.0.0.1', port })
  return {
    sound,
    phone,
    close: () => {
      for (const one of closing.reverse()) one.close()
    },
  }
}

test('a call that the browser dials is announced to the called party and recorded in stereo for its price', async ({
  page,
  request,
  caller,
  portal,
}) => {
  const headers = await bearerOf(request, caller)
  const admin = await asAdmin(request)
  await allowRecording(request, headers)
  await announceBySignature(admin, request)
  const price = { headers: admin.headers, data: { price: 0.06 } }
  expect((await request.put('/api/admin/recording-price', price)).ok()).toBe(true)
  const carrier = await startVoiceCarrier(request, portal.sipPort)

  await keepConnections(page)
  await signIn(page, caller, '/dashboard/voicemail')
  const settings = page.getByRole('form', { name: 'Call recording' })
  await settings.getByLabel('Record the calls you make').check()
  await settings.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Recording settings saved.')).toBeVisible()
  const phone = await openPhone(page)
  const dialAndTalk = async (calls: number) => {
    carrier.sound.forget()
    carrier.sound.plays(CALLER)
    const rung = carrier.phone.rung(calls).then(({ body }) => carrier.sound.aim(mediaTarget(body)))
    await dial(phone, LONDON)
    await expect(phone).toContainText('In a call')
    await listenInBrowser(page)
    await rung
    // Until the announcement begins, the sides hear each other.
    const isAnnounced = await expect
      .poll(() => carrier.sound.hears(), { timeout: 30_000 })
      .toContain(ANNOUNCEMENT)
      .then(() => true)
      .catch(() => false)
    carrier.sound.forget()
    await expect.poll(() => heardInBrowser(page), { message: 'the carrier in the browser' }).toContain(CALLER)
    await expect
      .poll(() => carrier.sound.hears(), { message: 'the browser at the carrier' })
      .toContain(BROWSER)
    // Twice, because a stop of the machine may cut the first.
    carrier.sound.forget()
    await expect.poll(() => carrier.sound.hears(), { message: 'the browser again' }).toContain(BROWSER)
    await page.keyboard.press('*')
    await page.keyboard.press('5')
    await expect.poll(() => carrier.sound.keys(), { message: 'the keys at the carrier' }).toMatch(/\*5$/)
    carrier.sound.plays(PAUSED)
    await expect.poll(() => heardInBrowser(page), { message: 'the carrier after *5' }).toContain(PAUSED)
    await phone.getByRole('button', { name: 'Hang up' }).click()
    await phone.getByRole('button', { name: 'Done' }).click()
    return { id: await newestCall(request, headers, calls), isAnnounced }
  }
  const talk = await callUntilRecorded(request, headers, dialAndTalk)
  expect(talk.isAnnounced).toBe(true)
  const cost = async () => (await recordingsOf(request, headers, talk.id))[0]?.cost
  await expect.poll(cost).not.toBeNull()
  const [recording] = await recordingsOf(request, headers, talk.id)
  expect(recording?.cost).toBeCloseTo(Math.ceil(recording?.seconds ?? 0) * 0.001, 6)
  const [left, right] = await voicesIn(request, headers, recording)
  expect(left).toContain(BROWSER)
  expect(left).not.toContain(CALLER)
  expect(right).toContain(CALLER)
  for (const other of [BROWSER, PAUSED]) expect(right).not.toContain(other)
  carrier.close()
})

test('a browser that answers an announced call of another customer hears the announcement, and then the caller', async ({
  page,
  request,
  caller,
  portal,
  network,
}) => {
  await announceBySignature(await asAdmin(request), request)
  const owner = await signUp(request)
  const headers = await bearerOf(request, owner)
  await canCall(request, owner.username, headers)
  await recordCalls(request, headers, { records_all: false, records_dialed: true, announces: true })
  const { password } = await (await request.post('/api/user/sip/password', { headers })).json()
  const account = { user: owner.username, password }
  const dialer = await createPhone({ switchPort: portal.sipPort, account })
  const sound = await openSoundEnd()
  sound.plays(CALLER)
  const status = async () => (await dialer.register(60)).status
  await expect.poll(status, { message: 'the new password', intervals: [300, 1_000, 2_000] }).toBe(200)

  await receiveCalls(page, caller)
  const callAndTalk = async (calls: number) => {
    sound.forget()
    const call = await dialer.call(network.number.slice(1), [], sound.describe)
    await cardOf(page).getByRole('button', { name: 'Answer' }).click()
    const answer = await call.ended
    expect(answer.status).toBe(200)
    await listenInBrowser(page)
    sound.aim(mediaTarget(answer.body))
    await expect.poll(() => heardInBrowser(page), { message: 'the caller in the browser' }).toContain(CALLER)
    const heard = await heardInBrowser(page)
    await expect.poll(() => sound.hears(), { message: 'the browser at the caller' }).toContain(BROWSER)
    const heardByCaller = sound.hears()
    sound.forget()
    await expect.poll(() => sound.hears(), { message: 'the browser again' }).toContain(BROWSER)
    await call.hangUp()
    await page.getByRole('region', { name: 'Phone' }).getByRole('button', { name: 'Done' }).click()
    return { id: await newestCall(request, headers, calls), heard, heardByCaller }
  }
  const talk = await callUntilRecorded(request, headers, callAndTalk)
  expect(talk.heard).toContain(ANNOUNCEMENT)
  expect(talk.heardByCaller).toContain(ANNOUNCEMENT)
  const [recording] = await recordingsOf(request, headers, talk.id)
  const [left, right] = await voicesIn(request, headers, recording)
  expect(left).toContain(CALLER)
  expect(left).not.toContain(BROWSER)
  expect(right).toContain(BROWSER)
  expect(right).not.toContain(CALLER)
  dialer.close()
  sound.close()
})
