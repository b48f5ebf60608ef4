import { expect, it, onTestFinished } from 'vitest'
import { startSwitch } from '../../launcher/switch.ts'
import { eventually } from './eventually.ts'
import { alice, allow, credentialsOf, harnessForFile, REALM, startHarness } from './harness.ts'
import { connectPeer } from './peer.ts'
import { untilSaved } from './saved.ts'

const harness = await harnessForFile({ limits: { silenceSeconds: 6, mediaHangsForSeconds: 4 } })

const SAYS_NOTHING = '442071234501'
const SOUNDS = '442071234502'

/** Starts two carriers: one echoes audio, the other sends a tone. */
async function startCalls() {
  const echo = await harness.carrier({ kind: 'echo', ringMs: 20 })
  const tone = await harness.carrier({ kind: 'tone', ringMs: 20 })
  const peer = await harness.peer({
    authorize: ({ to }) => allow([to === SOUNDS ? tone : echo], { coveredSeconds: 600 }),
    credentials: credentialsOf(alice),
  })
  const phone = await harness.phone({ account: alice })
  async function answered(number: string) {
    const call = await phone.call(number)
    expect((await call.ended).status).toBe(200)
    const { call: name } = await peer.next('authorize', ({ sip }) => sip === call.callId)
    const ends = () => peer.all('ended').filter((event) => event.call === name)
    return { call, ends }
  }
  return { echo, peer, answered }
}

it('ends a call on both sides when neither sends RTP', async () => {
  const { echo, peer, answered } = await startCalls()
  const { call, ends } = await answered(SAYS_NOTHING)
  call.speech.say(3)
  await eventually(() => ends().length === 1, 'the end')
  expect(ends()).toMatchObject([{ by: 'silence' }])
  await call.isHungUp()
  await eventually(() => echo.requests.some(({ method }) => method === 'BYE'), 'BYE to the carrier')
  peer.send({ type: 'list', request: 'left' })
  expect(await peer.next('live', ({ request }) => request === 'left')).toMatchObject({ calls: [] })
})

it('keeps a silent call that is on hold, and a call where only one side is silent', async () => {
  const { answered } = await startCalls()
  const held = await answered(SAYS_NOTHING)
  const isHeld = await held.call.request('INVITE', held.call.offer.replace('sendrecv', 'inactive'))
  expect(isHeld.status).toBe(200)
  const heard = await answered(SOUNDS)
  const silent = await answered(SAYS_NOTHING)
  await eventually(() => silent.ends().length === 1, 'the end of the silent call')
  for (const { call, ends } of [held, heard]) {
    expect(ends()).toEqual([])
    expect((await call.hangUp()).status).toBe(200)
  }
})

it.each([
  ['killed', 'SIGKILL'],
  ['hung', 'SIGSTOP'],
] as const)('ends calls when rtpengine is %s, and the next call has audio', async (_what, signal) => {
  const { echo, peer, answered } = await startCalls()
  const { call, ends } = await answered(SAYS_NOTHING)
  await call.speech.echoes(3)
  const before = harness.running.rtpenginePid() ?? 0
  process.kill(before, signal)
  await eventually(() => ends().length === 1, 'the end')
  expect(ends()).toMatchObject([{ by: 'silence' }])
  expect(await peer.next('media_failed')).toMatchObject({ calls: 1 })
  await call.isHungUp()
  await eventually(() => echo.requests.some(({ method }) => method === 'BYE'), 'BYE to the carrier')
  await eventually(() => harness.running.rtpenginePid() !== before, 'new rtpengine')

  await expect
    .poll(
      async () => {
        const next = await answered(SAYS_NOTHING).catch(() => null)
        next?.call.speech.say(3)
        const isHeard = await eventually(() => (next?.call.speech.heard() ?? 0) >= 3, 'echo', 1_000).catch(
          () => false,
        )
        if (next && next.ends().length === 0) await next.call.hangUp()
        return isHeard
      },
      { timeout: 30_000 },
    )
    .toBe(true)
})

it('ends the calls of a switch that is stopped and started again, because rtpengine has lost them', async () => {
  const { running, runFolder, sipPort, ...first } = await startHarness()
  onTestFinished(() => first.close())
  const { controlPort } = running
  const echo = await first.carrier({ kind: 'echo', ringMs: 20 })
  const authorize = () => allow([echo], { coveredSeconds: 600 })
  const peer = await connectPeer(controlPort, { authorize, credentials: credentialsOf(alice) })
  const phone = await first.phone({ account: alice })
  const call = await phone.call(SAYS_NOTHING)
  expect((await call.ended).status).toBe(200)
  await peer.next('answered')
  await untilSaved(runFolder, 'the call', ({ calls }) => calls.size === 1)
  await running.close()
  const second = await startSwitch({
    runFolder,
    id: 'test-switch',
    realm: REALM,
    secret: 'another secret',
    host: '127.0.0.1',
    sipPort,
    tlsPort: null,
    controlPort,
  })
  onTestFinished(() => second.close())
  const next = await connectPeer(controlPort, { credentials: credentialsOf(alice) })
  onTestFinished(() => next.close())
  expect(await next.next('ended')).toMatchObject({ by: 'silence' })
  await call.isHungUp()
  await eventually(() => echo.requests.some(({ method }) => method === 'BYE'), 'BYE to the carrier')
  expect(next.all('media_failed')).toEqual([])
})
