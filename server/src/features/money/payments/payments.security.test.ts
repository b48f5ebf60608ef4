import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTill, createTillWithCustomer, MERCHANT_KEY, type Till } from '../../../../test/payments.ts'
import { signUp } from '../../../../test/portal.ts'
import { made, recordProvider } from '../../../../test/recording-provider.ts'

const sign = (body: string, key = MERCHANT_KEY) => createHmac('sha512', key).update(body).digest('hex')

async function send(till: Till, body: string, signature?: string, type = 'application/json') {
  const answer = await fetch(`${till.door.url}/api/payments/callback`, {
    method: 'POST',
    headers: { 'content-type': type, ...(signature !== undefined && { HMAC: signature }) },
    body,
  })
  return { status: answer.status, text: await answer.text() }
}

/** An open top-up and the callback that would pay it. */
async function openTopUp() {
  const { till, alice } = await createTillWithCustomer()
  const { id, trackId, answer } = await till.topUp(alice, 100)
  const { order_id } = answer.invoice
  const paid = JSON.stringify({
    track_id: trackId,
    status: 'Paid',
    type: 'invoice',
    amount: 100,
    value: 100,
    currency: 'USD',
    order_id,
  })
  return { till, alice, id, trackId, paid, order_id }
}

describe('a forged callback', () => {
  it('is refused in every form and writes nothing', async () => {
    const { till, alice, id, paid } = await openTopUp()
    const before = await till.traces()
    const forgeries: [string, string, string | undefined][] = [
      ['unsigned', paid, undefined],
      ['an empty signature', paid, ''],
      ['signed with a guess', paid, sign(paid, 'guess')],
      ['signed with no key', paid, sign(paid, '')],
      ['altered', paid.replace('"value":100', '"value":900'), sign(paid)],
      ['a byte more', `${paid} `, sign(paid)],
      ['re-serialized with spaces', JSON.stringify(JSON.parse(paid), null, 2), sign(paid)],
      [
        're-serialized in another order',
        JSON.stringify({ ...JSON.parse(paid), track_id: undefined, z: 1 }),
        sign(paid),
      ],
      ['the signature of nothing', paid, sign('')],
      ['the key itself', paid, MERCHANT_KEY],
    ]
    for (const [how, body, signature] of forgeries) {
      const { status, text } = await send(till, body, signature)
      expect({ how, status }).toEqual({ how, status: 403 })
      expect(text).not.toBe('ok')
    }
    expect(await till.traces()).toBe(before)
    expect(await till.payment(alice, id)).toMatchObject({ state: 'pending', credited: 0 })
    expect((await send(till, paid, sign(paid))).text).toBe('ok')
    expect(await till.balance(alice)).toBe(100)
  })

  it.each(['wrong', 'missing', 'altered_body'])(
    '%s, as sent by the sandbox, is refused',
    async (signature) => {
      const { till, alice, id, trackId } = await openTopUp()
      const before = await till.traces()
      await till.faults({ callbacks: { signature } })
      await till.lever(`pay/${trackId}`)
      const sent = await till.callbacks(trackId)
      expect(sent.map(({ answer_status }) => answer_status)).toEqual([403, 403])
      expect(await till.traces()).toBe(before)
      expect((await till.payment(alice, id)).state).toBe('pending')
    },
  )

  it('is verified by its raw bytes for any content type', async () => {
    const { till, alice, paid } = await openTopUp()
    expect((await send(till, paid, sign(paid, 'guess'), 'text/plain')).status).toBe(403)
    expect(await send(till, paid, sign(paid), 'text/plain')).toEqual({ status: 200, text: 'ok' })
    expect(await till.balance(alice)).toBe(100)
  })
})

describe('a signed callback', () => {
  it('is answered with ok in plain text', async () => {
    const { till, trackId } = await openTopUp()
    await till.lever(`pay/${trackId}`)
    const sent = await till.callbacks(trackId)
    expect(sent.map(({ outcome, answer_body }) => [outcome, answer_body])).toEqual([
      ['delivered', 'ok'],
      ['delivered', 'ok'],
    ])
  })

  it('changes nothing when replayed', async () => {
    const { till, alice, id, trackId } = await openTopUp()
    await till.lever(`pay/${trackId}`)
    const [paying, paid] = await till.callbacks(trackId)
    for (const one of [paid, paying, paid]) {
      expect((await send(till, one?.body ?? '', one?.signature)).text).toBe('ok')
    }
    expect(await till.payment(alice, id)).toMatchObject({ state: 'completed', credited: 100 })
    expect(await till.balance(alice)).toBe(100)
    await till.expectBooksToAddUp()
  })

  it('credits the amount of our invoice, regardless of its own amount', async () => {
    const { till, alice, paid } = await openTopUp()
    const generous = paid.replace('"amount":100', '"amount":9000')
    await send(till, generous, sign(generous))
    expect(await till.balance(alice)).toBe(100)
  })

  it.each([
    ['one dollar of a hundred', { value: 1 }, 'underpaid', 1_000_000n],
    ['a cent under the coverage', { value: 97.49 }, 'underpaid', 97_490_000n],
    ['accepted by hand, with nothing received', { status: 'Manual_accept', value: 0 }, 'unrecognised', null],
    ['without the amount received', { value: undefined }, 'unrecognised', null],
    ['of a payout', { type: 'payout' }, 'unrecognised', 100_000_000n],
    ['of an unknown type', { type: 'gift' }, 'unrecognised', 100_000_000n],
    ['without a type', { type: undefined }, 'unrecognised', 100_000_000n],
    ['in another currency', { currency: 'JPY' }, 'unrecognised', 100_000_000n],
    [
      'whose transactions are worth less than it says',
      { txs: [{ status: 'confirmed', value: 1, currency: 'BTC' }] },
      'underpaid',
      1_000_000n,
    ],
  ])('with %s is reviewed, not credited', async (_, change, reason, amount) => {
    const { till, alice, id, paid } = await openTopUp()
    const body = JSON.stringify({ ...JSON.parse(paid), ...change })
    expect((await send(till, body, sign(body))).text).toBe('ok')
    expect(await till.balance(alice)).toBe(0)
    expect(await till.payment(alice, id)).toMatchObject({ credited: 0 })
    expect(await till.services.db.selectFrom('payment_reviews').selectAll().execute()).toMatchObject([
      { reason, invoice_id: id, amount_micros: amount },
    ])
    await send(till, paid, sign(paid))
    expect(await till.balance(alice)).toBe(100)
    await till.expectBooksToAddUp()
  })

  it('within the allowed shortfall credits the full amount', async () => {
    const { till, alice, paid } = await openTopUp()
    const covered = paid.replace('"value":100', '"value":97.5')
    await send(till, covered, sign(covered))
    expect(await till.balance(alice)).toBe(100)
  })

  it('of a payout with our order id does not set the track id of a pending invoice', async () => {
    const { till, alice } = await createTillWithCustomer()
    await till.faults({ create: { kind: 'disconnect', created: true } })
    await till.topUp(alice, 100).catch(() => null)
    await till.honest()
    const row = await till.services.db
      .selectFrom('invoices')
      .select(['order_id', 'track_id'])
      .executeTakeFirstOrThrow()
    const body = JSON.stringify({
      track_id: '1',
      order_id: row.order_id,
      status: 'Paid',
      type: 'payout',
      currency: 'USD',
      value: 100,
    })
    expect((await send(till, body, sign(body))).text).toBe('ok')
    expect(await till.services.db.selectFrom('invoices').select('track_id').executeTakeFirst()).toEqual({
      track_id: null,
    })
    expect(await till.balance(alice)).toBe(0)
  })

  it('with our order id and another track id is unmatched, not credited', async () => {
    const { till, alice, paid, trackId } = await openTopUp()
    const other = paid.replace(trackId, '1')
    expect((await send(till, other, sign(other))).text).toBe('ok')
    expect(await till.balance(alice)).toBe(0)
    expect(await till.services.db.selectFrom('payment_reviews').selectAll().execute()).toMatchObject([
      { reason: 'unmatched', invoice_id: null, track_id: '1', amount_micros: 100_000_000n },
    ])
  })

  it('with invalid content is refused and writes nothing', async () => {
    const { till } = await openTopUp()
    const before = await till.traces()
    for (const body of ['[]', 'paid', '{}', '']) expect((await send(till, body, sign(body))).status).toBe(400)
    expect(await till.traces()).toBe(before)
  })

  it('is not acknowledged if the commit fails', async () => {
    const { till, alice, id, paid } = await openTopUp()
    const { db } = till.services
    await db.schema.alterTable('entries').renameTo('entries_away').execute()
    const { status, text } = await send(till, paid, sign(paid))
    expect({ status, isOk: text === 'ok' }).toEqual({ status: 500, isOk: false })
    await db.schema.alterTable('entries_away').renameTo('entries').execute()
    expect(await till.payment(alice, id)).toMatchObject({ state: 'pending', credited: 0 })
    expect(await till.isPremium(alice)).toBe(false)
    await till.expectBooksToAddUp()
  })
})

it('sends the email address of the customer to the provider only if it is verified', async () => {
  const { asked, url } = await recordProvider(({ body }) => made((body as { order_id: string }).order_id))
  const till = await createTill({ OXAPAY_BASE_URL: url })
  const alice = await signUp(till, 'alice', { email: 'alice@example.com' })
  await till.topUp(alice, 10)
  await till.services.db.updateTable('users').set({ email_verified_at: null }).execute()
  await till.topUp(alice, 10)
  expect(asked.map(({ body }) => (body as { email: string }).email)).toEqual(['alice@example.com', ''])
})
