import { expect, it } from 'vitest'
import type { Carrier } from '../../../sandbox/carriers/carrier.ts'
import { providerForFile } from '../e2e/for-file.ts'
import { LONDON, until } from '../e2e/provider.ts'
import { startBaresip } from './baresip.ts'
import { type Softphone, type SoftphoneCase, softphonesForFile } from './console.ts'
import { startLinphone } from './linphone.ts'
import { startTwinkle } from './twinkle.ts'

/** Debian's softphones against the real switch, call control and database, and a carrier that logs its requests. */
const provider = await providerForFile({}, { tlsPort: 0 })
const phones = softphonesForFile()
let carrier: Carrier

const cases: SoftphoneCase[] = [
  ['linphonec', 'udp', 'RTP', startLinphone],
  ['linphonec', 'tcp', 'RTP', startLinphone],
  ['linphonec', 'tls', 'SRTP', startLinphone],
  ['baresip', 'udp', 'RTP', startBaresip],
  ['baresip', 'tcp', 'SRTP', startBaresip],
  ['baresip', 'tls', 'SRTP', startBaresip],
  ['twinkle', 'udp', 'RTP', startTwinkle],
  ['twinkle', 'tcp', 'RTP', startTwinkle],
]

it.each(cases)(
  '%s registers, calls, presses keys, holds, resumes and hangs up over %s with %s',
  async (name, transport, speech, start) => {
    pressed = ''
    carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
    await provider.newTrunk(carrier)
    const { id, account } = await provider.newCustomer()
    await provider.settle()
    const { sipPort, tlsPort } = provider.harness.running
    const port = transport === 'tls' ? (tlsPort ?? 0) : sipPort
    const phone = await start({
      account,
      transport,
      requiresSrtp: speech === 'SRTP',
      host: '127.0.0.1',
      port,
    })
    phones.push(phone)
    expect((await registrationOf(id)).device).toMatch(new RegExp(name.slice(0, 7), 'i'))

    await phone.call(LONDON)
    const answered = await until(
      async () =>
        (await provider.liveCalls()).find((call) => call.user_id === id && call.answered_at !== null),
      'live call',
    )
    expect(answered.destination).toBe(LONDON)
    await press(phone, '12#')

    await phone.hold()
    expect(await described(2)).toMatchObject({ direction: 'sendonly', protocol: 'RTP/AVP' })
    await phone.resume()
    expect(await described(3)).toMatchObject({ direction: 'sendrecv', protocol: 'RTP/AVP' })
    await press(phone, '9')
    // No key arrives twice.
    expect(isSubsequence(carrier.digits(), pressed)).toBe(true)
    expect([...new Set(carrier.digits())].join('')).toBe('12#9')

    await phone.hangUp()
    await until(async () => carrier.requests.some(({ method }) => method === 'BYE'), 'BYE at the carrier')
    expect(carrier.live()).toBe(0)
    const device = expect.stringMatching(new RegExp(name.slice(0, 7), 'i'))
    expect(await provider.cdrOf(id)).toMatchObject({ status: 'completed', hung_up_by: 'caller', device })
    expect((await provider.liveCalls()).filter((call) => call.user_id === id)).toEqual([])
  },
)

it('linphonec authenticates with SHA-256 as sha256~NAME', async () => {
  const { id, account } = await provider.newCustomer()
  await provider.settle()
  const { sipPort: port } = provider.harness.running
  const user = `sha256~${account.user}`
  const options = { transport: 'udp', requiresSrtp: false, host: '127.0.0.1', port } as const
  phones.push(await startLinphone({ ...options, account: { ...account, user } }))
  expect((await registrationOf(id)).contact).toContain(user)
})

let pressed = ''

/** Presses each key until the carrier receives it. A phone drops keys until its media has started, and a busy machine drops packets. */
async function press(phone: Softphone, keys: string): Promise<void> {
  for (const key of keys) {
    const isReceived = async () => carrier.digits().endsWith(key)
    for (let tries = 0; !(await isReceived()) && tries < 10; tries++) {
      phone.press(key)
      pressed += key
      await until(isReceived, `key ${key} at the carrier`, 10_000).catch(() => {})
    }
  }
  expect(carrier.digits().at(-1)).toBe(keys.at(-1))
}

function isSubsequence(part: string, whole: string): boolean {
  let found = 0
  for (const character of whole) if (character === part[found]) found++
  return found === part.length
}

const registrationOf = (userId: number) =>
  until(
    () =>
      provider.db.selectFrom('registrations').selectAll().where('user_id', '=', userId).executeTakeFirst(),
    'registration',
  )

/** The SDP of the carrier's nth INVITE. */
const described = (count: number) =>
  until(async () => {
    const invite = carrier.requests.filter(({ method }) => method === 'INVITE')[count - 1]
    if (!invite) return undefined
    return {
      direction: /^a=(sendrecv|sendonly|recvonly|inactive)/m.exec(invite.body)?.[1] ?? 'sendrecv',
      protocol: /^m=audio \d+ (\S+)/m.exec(invite.body)?.[1],
    }
  }, `INVITE number ${count} at the carrier`)
