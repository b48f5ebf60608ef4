import { describe, expect, it } from 'vitest'
import { auditOf, createShop, racing, type Shop } from '../../../../test/catalogue.ts'

type Mode = 'replace' | 'merge'

/** A trunk and a German route over it, both with a few rates. */
async function createShelves() {
  const shop = await createShop()
  const token = shop.root.token
  const route = await shop.addRoute({ price: 0.02, rates: [{ prefix: '4915', price: 0.04 }] })
  const trunk = await shop.addTrunk({ buy_rate: 0.001 })
  const rates = [
    { prefix: '44', price: 0.005 },
    { prefix: '447', price: 0.02 },
    { prefix: '49', price: 0.006 },
  ]
  await shop.call('PUT /api/trunks/:id/rates', { token, params: { id: trunk.id }, body: { rates } })
  const ask = { token, params: { id: trunk.id } }
  return {
    shop,
    route,
    trunk,
    token,
    check: (deck: string, mode: Mode = 'replace', search = '') =>
      shop.call('POST /api/trunks/:id/rate-deck/check', { ...ask, body: { deck, mode, search } }),
    apply: (deck: string, checked: string, more: object = {}) =>
      shop.call('POST /api/trunks/:id/rate-deck', {
        ...ask,
        body: { deck, token: checked, mode: 'replace', ...more },
      }),
    rates: async (query: Record<string, string | number> = {}) =>
      (await shop.call('GET /api/trunks/:id/rates', { ...ask, query })).answer,
  }
}

const csvOf = async (shop: Shop, url: string) => {
  const response = await shop.api.inject({ url, headers: { authorization: `Bearer ${shop.root.token}` } })
  return { status: response.statusCode, headers: response.headers, text: response.body }
}

const pairs = (rates: { prefix: string; price: number }[]) =>
  rates.map(({ prefix, price }) => [prefix, price])

describe('a rate deck of a carrier', () => {
  it('is previewed without changes, then applied as previewed', async () => {
    const { shop, trunk, check, apply, rates } = await createShelves()
    const deck = '\uFEFFCode;Destination;Rate\r\n44;UK;0,006\r\n447;"UK; mobile";0,01\r\n33;France;0,004\r\n'
    const { answer } = await check(deck)
    expect(answer.check).toMatchObject({
      counts: { new: 1, dearer: 1, cheaper: 1, changed: 0, removed: 1, unchanged: 0 },
      faults: [],
      fault_count: 0,
      elsewhere: 0,
      losses: [],
      columns: { read: ['Code', 'Rate'], ignored: ['Destination'] },
    })
    expect(
      answer.check.changes.map(({ kind, prefix, line, before, after }) => [
        kind,
        prefix,
        line,
        before?.price,
        after?.price,
      ]),
    ).toEqual([
      ['new', '33', 4, undefined, 0.004],
      ['dearer', '44', 2, 0.005, 0.006],
      ['cheaper', '447', 3, 0.02, 0.01],
      ['removed', '49', null, 0.006, undefined],
    ])
    expect((await rates()).total).toBe(3)
    expect((await check(deck, 'merge')).answer.check.counts).toMatchObject({ removed: 0, unchanged: 1 })
    expect((await check(deck, 'merge', '44')).answer.check.changes.map(({ prefix }) => prefix)).toEqual([
      '44',
      '447',
    ])

    const done = await apply(deck, answer.check.token)
    expect(done).toMatchObject({ status: 200, answer: { counts: answer.check.counts, rate_count: 3 } })
    expect(pairs((await rates()).rates)).toEqual([
      ['33', 0.004],
      ['44', 0.006],
      ['447', 0.01],
    ])
    expect((await auditOf(shop, shop.root, 'trunk.rates'))[0]).toMatchObject({
      subject: `trunk ${trunk.id}`,
      before: { rate_count: 3 },
      after: { rate_count: 3, new: 1, removed: 1 },
    })
  })

  it('with invalid lines is refused, unless they are skipped, which keeps their rates', async () => {
    const { check, apply, rates } = await createShelves()
    const deck = 'prefix,price\n44,0.007\n447,free\nx,1\n44,0.008\n'
    const { answer } = await check(deck)
    expect(answer.check).toMatchObject({
      fault_count: 3,
      faults: [
        { line: 3, reason: 'price_invalid', value: 'free', prefix: '447' },
        { line: 4, reason: 'prefix_invalid', value: 'x', prefix: null },
        { line: 5, reason: 'prefix_repeated', value: '2', prefix: '44' },
      ],
      counts: { dearer: 1, removed: 1, unchanged: 1 },
    })
    expect(await apply(deck, answer.check.token)).toMatchObject({ status: 409, code: 'deck_has_faults' })
    expect(pairs((await rates()).rates)).toHaveLength(3)
    expect((await apply(deck, answer.check.token, { without_bad_lines: true })).status).toBe(200)
    expect(pairs((await rates()).rates)).toEqual([
      ['44', 0.007],
      ['447', 0.02],
    ])
  })

  it('is refused if file, mode or rates changed after the preview', async () => {
    const { shop, trunk, token, check, apply, rates } = await createShelves()
    const deck = 'prefix,price\n44,0.007\n'
    const { answer } = await check(deck)
    const other = { status: 409, code: 'changed_meanwhile' }
    expect(await apply(`${deck}45,1\n`, answer.check.token)).toMatchObject({
      ...other,
      message: 'This is not the file you checked. Check it again.',
    })
    expect(await apply(deck, answer.check.token, { mode: 'merge' })).toMatchObject(other)
    const body = { rates: [{ prefix: '44', price: 0.0051 }] }
    await shop.call('PUT /api/trunks/:id/rates', { token, params: { id: trunk.id }, body })
    expect(await apply(deck, answer.check.token)).toMatchObject({
      ...other,
      message: 'The rates changed after you checked this file. Check it again.',
    })
    expect(pairs((await rates()).rates)).toEqual([['44', 0.0051]])
  })

  it('is applied once in concurrent requests', async () => {
    const { shop, trunk, check, apply, rates } = await createShelves()
    const decks = ['prefix,price\n44,0.007\n', 'prefix,price\n44,0.008\n']
    const tokens = await Promise.all(decks.map(async (deck) => (await check(deck)).answer.check.token))
    const answers = await racing(
      shop,
      (tx) => tx.selectFrom('trunks').select('id').where('id', '=', trunk.id).forUpdate().execute(),
      () => decks.map((deck, at) => apply(deck, tokens[at] ?? '')),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await rates()).total).toBe(1)
  })

  it('that is unreadable reports the reason; one above the selling prices reports the losses', async () => {
    const { shop, route, trunk, check } = await createShelves()
    for (const [deck, message] of [
      [
        'name,price\nUK,1',
        'This file has no prefix column. Name a column "Prefix" or "Code", or remove the header and put the prefix first.',
      ],
      ['prefix,price\n', 'This file has no rates.'],
    ] as const)
      expect(await check(deck)).toMatchObject({ status: 400, code: 'deck_unreadable', message })
    expect((await check('')).message).toBe('Please choose a file.')
    expect((await check('PK\u0000\u0001')).message).toBe(
      'This isn’t a text file. Save the sheet as CSV first.',
    )

    await shop.addRoute({ country: 'US', name: 'USA', price: 0.01 })
    await shop.addPlan('Silver')
    await shop.addRoute({ name: 'not over this trunk', planname: 'Silver', price: 0 })
    const { answer } = await check('prefix,price\n49,0.03\n4915,0.05\n4930,0.02\n1876,0.2\n')
    expect(answer.check.losses).toEqual([
      {
        route: { id: route.id, name: 'Berlin', country: 'Germany' },
        trunk: { id: trunk.id, name: 'Carrier' },
        prefixes: 2,
        is_more: false,
        examples: [
          { prefix: '49', buy: 0.03, sell: 0.02 },
          { prefix: '4915', buy: 0.05, sell: 0.04 },
        ],
      },
    ])
  })

  it('can have 100,000 lines but not more, and is not read without authentication', async () => {
    const { shop, trunk, check, apply, rates } = await createShelves()
    const lines = Array.from(
      { length: 100_000 },
      (_, at) => `${300_000 + at},Somewhere far away ${at},0.0${at % 97}`,
    )
    const deck = `code,destination,price\n${lines.join('\n')}`
    const { answer } = await check(deck)
    expect(answer.check).toMatchObject({ counts: { new: 100_000, removed: 3 } })
    expect(answer.check.changes.filter(({ kind }) => kind === 'new')).toHaveLength(500)
    expect(await apply(deck, answer.check.token)).toMatchObject({ answer: { rate_count: 100_000 } })
    expect((await rates({ limit: 1 })).total).toBe(100_000)
    const page = await rates({ search: '39999', limit: 4 })
    expect([pairs(page.rates).length, page.total, page.next]).toEqual([4, 10, '399993'])
    const rest = await rates({ search: '39999', limit: 10, after: '399993' })
    expect([rest.rates.length, rest.next]).toEqual([6, null])
    // The rate of this number.
    expect(pairs((await rates({ search: '39999912345' })).rates)).toEqual([['399999', 0.089]])

    expect(await check(`${deck}\n1,1`)).toMatchObject({ status: 400, code: 'deck_unreadable' })
    const tooLarge = 'x'.repeat(12 * 1024 * 1024)
    expect(await check(tooLarge)).toMatchObject({ status: 413, code: 'body_too_large' })
    const stranger = { token: shop.alice.token, params: { id: trunk.id }, body: { deck: tooLarge } }
    expect(await shop.call('POST /api/trunks/:id/rate-deck/check', stranger)).toMatchObject({ status: 403 })
  })
})

it('imports a price list of a route with terms, skips other countries and exports it', async () => {
  const { shop, route, trunk, token } = await createShelves()
  const ask = { token, params: { id: route.id } }
  const deck = [
    'Prefix,Price,Connect fee,Increments',
    '49,0.02,0,1/1',
    '4915,0.04,0.01,60/6',
    '4930,0.003,,',
    '44,0.01,,',
  ].join('\n')
  const given = { deck, mode: 'replace' }
  const { answer } = await shop.call('POST /api/routes/:id/rate-deck/check', { ...ask, body: given })
  expect(answer.check).toMatchObject({
    counts: { new: 2, changed: 1, dearer: 0, cheaper: 0, removed: 0, unchanged: 0 },
    fault_count: 0,
    elsewhere: 1,
    losses: [
      { trunk: { id: trunk.id }, prefixes: 1, examples: [{ prefix: '4930', buy: 0.006, sell: 0.003 }] },
    ],
  })
  const body = { ...given, token: answer.check.token }
  expect((await shop.call('POST /api/routes/:id/rate-deck', { ...ask, body })).answer.rate_count).toBe(3)

  const { answer: routes } = await shop.call('GET /api/routes', { token })
  expect(routes.routes[0]).toMatchObject({ rate_count: 3, version: 2, dearer_trunks: [{ id: trunk.id }] })
  const quoted = await shop.call('GET /api/routes/:id/rates', { ...ask, query: { search: '4915' } })
  expect(quoted.answer.rates).toEqual([
    { prefix: '49', price: 0.02, connect_fee: 0, first_increment: 1, next_increment: 1 },
    { prefix: '4915', price: 0.04, connect_fee: 0.01, first_increment: 60, next_increment: 6 },
  ])
  const file = await csvOf(shop, `/api/routes/${route.id}/rates.csv`)
  expect(file.headers['content-disposition']).toBe(`attachment; filename="route-${route.id}-rates.csv"`)
  expect(file.text).toBe(
    [
      'prefix,price,connect fee,first increment,next increment',
      ...['49,0.02,0.00,1,1', '4915,0.04,0.01,60,6', '4930,0.003,0.00,1,1', ''],
    ].join('\r\n'),
  )
  expect((await csvOf(shop, '/api/routes/999/rates.csv')).status).toBe(404)
  const again = { deck: (await csvOf(shop, `/api/trunks/${trunk.id}/rates.csv`)).text, mode: 'replace' }
  const same = await shop.call('POST /api/trunks/:id/rate-deck/check', {
    token,
    params: { id: trunk.id },
    body: again,
  })
  expect(same.answer.check.counts).toMatchObject({ unchanged: 3, removed: 0, new: 0 })

  // A truncated list must not be saved back.
  const long = `prefix,price\n${Array.from({ length: 1_001 }, (_, at) => `49${1_000 + at},0.03`).join('\n')}`
  const look = { ...ask, body: { deck: long, mode: 'replace' } }
  const seen = (await shop.call('POST /api/routes/:id/rate-deck/check', look)).answer.check
  await shop.call('POST /api/routes/:id/rate-deck', { ...ask, body: { ...look.body, token: seen.token } })
  const listed = (await shop.call('GET /api/routes/:id', ask)).answer.route
  expect([listed.rate_count, listed.rates.length]).toEqual([1_001, 1_000])
  const sentBack = { ...ask, body: { rates: listed.rates } }
  expect(await shop.call('PATCH /api/routes/:id', sentBack)).toMatchObject({
    status: 400,
    message: 'This price list is too long to edit here. Import it as a file under Trunks & Plans.',
  })
  expect((await shop.call('PATCH /api/routes/:id', { ...ask, body: { price: 0.03 } })).status).toBe(200)
})
