import { expect, it } from 'vitest'
import { headerOf, type SipMessage, tagOf } from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'
import { alice, credentialsOf, harnessForFile } from './harness.ts'
import { bob } from './incoming-calls.ts'
import type { Phone } from './phone.ts'

/** The lamp of a phone that shows new messages (RFC 3842). */
const harness = await harnessForFile()

async function startPeer() {
  const peer = await harness.peer({ credentials: credentialsOf(alice, bob) })
  for (const { user } of [alice, bob]) peer.send({ type: 'unregister', user })
  await peer.processed()
  const tell = async (user: string, unread: number, read: number) => {
    peer.send({ type: 'messages', accounts: [{ user, new: unread, read }] })
    await peer.processed()
  }
  return { peer, tell }
}

const forgotten = new Set<string>()
/** Without repeated ones. They have the same Via. */
const notifies = ({ messages }: Phone): SipMessage[] => {
  const byVia = new Map<string, SipMessage>()
  for (const message of messages) {
    const via = headerOf(message, 'via')
    if (message.method === 'NOTIFY' && !forgotten.has(via) && !byVia.has(via)) byVia.set(via, message)
  }
  return [...byVia.values()]
}
/** Forgets all messages so far, also if they are repeated later. */
function forget(phone: Phone): void {
  for (const notify of notifies(phone)) forgotten.add(headerOf(notify, 'via'))
  phone.messages.splice(0, phone.messages.length)
}
const notified = (phone: Phone, count: number) =>
  eventually(() => notifies(phone)[count - 1], `NOTIFY ${count}`)

/** `inside` is an answer whose subscription is refreshed. */
const subscribe = (phone: Phone, user: string, expires = 600, inside?: SipMessage) => {
  const callId = inside ? headerOf(inside, 'call-id') : Math.random().toString(36).slice(2)
  const basics = phone
    .basics(user, callId)
    .map(([name, value]): [string, string] =>
      inside && (name === 'From' || name === 'To') ? [name, headerOf(inside, name)] : [name, value],
    )
  const headers: [string, string][] = [
    ...basics,
    ['Event', 'message-summary'],
    ['Accept', 'application/simple-message-summary'],
    ['Expires', String(expires)],
  ]
  return phone.ask('SUBSCRIBE', `sip:${user.replace('@', '%40')}@${phone.server}`, headers, '', callId)
}

it.each(['udp', 'tcp'] as const)(
  'notifies registered phones over %s when the messages change',
  async (transport) => {
    const { tell } = await startPeer()
    await tell('alice', 0, 0)
    const phone = await harness.phone({ account: alice, transport })
    const other = await harness.phone({ account: bob, transport })
    for (const one of [phone, other]) expect((await one.register()).status).toBe(200)
    await tell('alice', 2, 1)
    const notify = await eventually(
      () => notifies(phone).find(({ body }) => body.includes('2/1')),
      'NOTIFY with the new counts',
    )
    expect(headerOf(notify, 'event')).toBe('message-summary')
    expect(headerOf(notify, 'content-type')).toBe('application/simple-message-summary')
    expect(notify.body).toBe(
      'Messages-Waiting: yes\r\nMessage-Account: sip:alice@127.0.0.1\r\nVoice-Message: 2/1 (0/0)\r\n',
    )
    const before = notifies(phone).length
    await tell('alice', 2, 1)
    await tell('alice', 0, 3)
    expect((await notified(phone, before + 1)).body).toContain('Messages-Waiting: no\r\n')
    expect(notifies(phone)).toHaveLength(before + 1)
    expect(notifies(other)).toEqual([])
  },
)

it('notifies a phone that registers while messages wait', async () => {
  const { tell } = await startPeer()
  await tell('alice', 4, 0)
  const phone = await harness.phone({ account: alice })
  expect((await phone.register()).status).toBe(200)
  expect((await notified(phone, 1)).body).toContain('Voice-Message: 4/0')
})

it('notifies registered and subscribed phones of a username with @', async () => {
  const carol = { user: 'carol@example.com', password: 'sings' }
  const peer = await harness.peer({ credentials: credentialsOf(carol) })
  peer.send({ type: 'messages', accounts: [{ user: carol.user, new: 4, read: 0 }] })
  await peer.processed()
  const phone = await harness.phone({ account: carol })
  expect((await phone.register()).status).toBe(200)
  const notify = await notified(phone, 1)
  expect(notify.body).toContain('Message-Account: sip:carol%40example.com@127.0.0.1\r\n')
  expect(headerOf(notify, 'to')).toBe('<sip:carol%40example.com@127.0.0.1>')
  expect((await subscribe(phone, carol.user)).status).toBe(200)
  expect((await notified(phone, 2)).body).toContain('Voice-Message: 4/0')
})

it('notifies a subscribed phone in its dialog, and ends with the subscription', async () => {
  const { tell } = await startPeer()
  await tell('alice', 1, 0)
  const phone = await harness.phone({ account: alice })
  const answer = await subscribe(phone, 'alice')
  expect(answer.status).toBe(200)
  expect(headerOf(answer, 'expires')).toBe('600')
  const first = await notified(phone, 1)
  expect(first.body).toContain('Voice-Message: 1/0')
  expect(headerOf(first, 'call-id')).toBe(headerOf(answer, 'call-id'))
  expect(tagOf(headerOf(first, 'from'))).toBe(tagOf(headerOf(answer, 'to')))
  expect(tagOf(headerOf(first, 'to'))).toBe(tagOf(headerOf(answer, 'from')))
  expect(headerOf(first, 'subscription-state')).toMatch(/^active;expires=\d+$/)
  await tell('alice', 3, 0)
  const second = await notified(phone, 2)
  expect(second.body).toContain('Voice-Message: 3/0')
  expect(Number.parseInt(headerOf(second, 'cseq'), 10)).toBeGreaterThan(
    Number.parseInt(headerOf(first, 'cseq'), 10),
  )
})

it('refreshes and ends a subscription in its dialog', async () => {
  const { tell } = await startPeer()
  const phone = await harness.phone({ account: alice })
  const answer = await subscribe(phone, 'alice')
  await notified(phone, 1)
  forget(phone)
  const again = await subscribe(phone, 'alice', 900, answer)
  expect(again.status).toBe(200)
  expect(headerOf(again, 'to')).toBe(headerOf(answer, 'to'))
  expect(headerOf(again, 'expires')).toBe('900')
  expect(headerOf(await notified(phone, 1), 'subscription-state')).toMatch(/^active;expires=(900|89\d)$/)
  forget(phone)
  expect((await subscribe(phone, 'alice', 0, answer)).status).toBe(200)
  expect(headerOf(await notified(phone, 1), 'subscription-state')).toMatch(/^terminated/)
  await tell('alice', 7, 7)
  expect(notifies(phone)).toHaveLength(1)
})

it('ends the subscriptions of an account that call control unregisters', async () => {
  const { peer, tell } = await startPeer()
  await tell('alice', 1, 0)
  const phone = await harness.phone({ account: alice })
  const other = await harness.phone({ account: bob })
  for (let count = 1; count <= 3; count++) {
    await subscribe(phone, 'alice')
    await notified(phone, count)
  }
  await subscribe(other, 'bob')
  await notified(other, 1)
  const subscriptions = new Set(notifies(phone).map((notify) => headerOf(notify, 'call-id')))
  forget(phone)
  peer.send({ type: 'unregister', user: 'Alice' })
  await peer.processed()
  // Subscriptions whose Call-IDs share a slot count as one.
  const ended = () =>
    notifies(phone).filter(
      (notify) => headerOf(notify, 'subscription-state') === 'terminated;reason=deactivated',
    )
  await eventually(() => ended().length > 0, 'last NOTIFY', 5_000)
  expect(ended()[0]?.body).toContain('Messages-Waiting: no')
  expect(subscriptions).toContain(headerOf(ended()[0] as SipMessage, 'call-id'))
  await tell('alice', 2, 0)
  await tell('bob', 2, 0)
  await notified(other, 2)
  expect(notifies(phone)).toEqual(ended())
})

it('answers a repeated SUBSCRIBE, but does not subscribe again', async () => {
  const { tell } = await startPeer()
  await tell('alice', 1, 0)
  const phone = await harness.phone({ account: alice })
  const answer = await subscribe(phone, 'alice')
  await notified(phone, 1)
  const request = phone.lastRequest()
  expect((await subscribe(phone, 'alice', 0, answer)).status).toBe(200)
  expect(headerOf(await notified(phone, 2), 'subscription-state')).toMatch(/^terminated/)
  const answers = () => phone.messages.filter(({ status }) => status === 200).length
  const before = answers()
  phone.send(request)
  await eventually(() => answers() > before, 'reply to the repeated SUBSCRIBE')
  await tell('alice', 2, 0)
  await tell('alice', 3, 0)
  expect(notifies(phone)).toHaveLength(2)
})

it('ends a subscription with a last NOTIFY', async () => {
  const { tell } = await startPeer()
  const phone = await harness.phone({ account: alice })
  expect((await subscribe(phone, 'alice', 0)).status).toBe(200)
  expect(headerOf(await notified(phone, 1), 'subscription-state')).toMatch(/^terminated/)
  await tell('alice', 9, 9)
  expect(notifies(phone)).toHaveLength(1)
})

it('refuses subscriptions to other accounts, without a password, and to other events', async () => {
  const { peer } = await startPeer()
  const phone = await harness.phone({ account: alice })
  expect((await subscribe(phone, 'bob')).status).toBe(403)
  const stranger = await harness.phone({ account: { ...alice, password: 'guessed' } })
  expect((await subscribe(stranger, 'alice')).status).toBe(403)
  const unknown = await harness.phone()
  expect((await subscribe(unknown, 'alice')).status).toBe(407)
  const headers = [...phone.basics('alice', 'c1'), ['Event', 'presence'] as [string, string]]
  expect((await phone.ask('SUBSCRIBE', `sip:alice@${phone.server}`, headers, '', 'c1')).status).toBe(405)
  expect(peer.all('authorize')).toEqual([])
  for (const one of [phone, stranger, unknown]) expect(notifies(one)).toEqual([])
})

it('clears the lamp of accounts that a complete list does not contain', async () => {
  const { peer, tell } = await startPeer()
  await tell('alice', 2, 1)
  await tell('bob', 1, 0)
  const phone = await harness.phone({ account: alice })
  const other = await harness.phone({ account: bob })
  for (const one of [phone, other]) expect((await one.register()).status).toBe(200)
  await notified(phone, 1)
  await notified(other, 1)
  // The other call control sends its list at the same time.
  const second = await harness.peer({ credentials: credentialsOf(alice, bob) })
  second.send({ type: 'messages', begins: true, ends: false, accounts: [] })
  await second.processed()
  peer.send({ type: 'messages', begins: true, ends: false, accounts: [{ user: 'nobody', new: 1, read: 0 }] })
  peer.send({ type: 'messages', begins: false, ends: true, accounts: [{ user: 'Bob', new: 1, read: 0 }] })
  await peer.processed()
  expect((await notified(phone, 2)).body).toContain('Messages-Waiting: no\r\n')
  expect(notifies(other)).toHaveLength(1)
  second.send({ type: 'messages', ends: true, accounts: [{ user: 'bob', new: 1, read: 0 }] })
  await second.processed()
  expect(notifies(phone)).toHaveLength(2)
  expect(notifies(other)).toHaveLength(1)
})
