import { expect, it } from 'vitest'
import { auditOf } from '../../../../test/catalogue.ts'
import { createNumberShop, newKey } from '../../../../test/numbers.ts'

async function setUp() {
  const shop = await createNumberShop()
  const { token } = shop.root
  await shop.addTrunk({ name: 'Carrier A' })
  return {
    shop,
    preview: async (csv: string) =>
      (await shop.call('POST /api/admin/numbers/import/preview', { token, body: { csv } })).answer.preview,
    run: (csv: string, request_key = newKey()) =>
      shop.call('POST /api/admin/numbers/import', { token, body: { csv, request_key } }),
    list: async () => (await shop.call('GET /api/admin/numbers', { token })).answer.numbers,
  }
}

const LIST = `Number;Country;City;Type;Carrier;Monthly price (USD);Setup fee;Price/min;Monthly cost;Cost/min;Channels;Tags;Notes
+44 20 7946 0001;GB;London;Local;carrier a;2,50;1;0.01;1.25;0.004;20;"gold, vip";first
020 7946 0002;United Kingdom;London;;;3;;;;;;;
+1 800 234 5678;;;toll-free;;5;;;;;;;
`

it('previews and imports a list with common column names', async () => {
  const { shop, preview, run, list } = await setUp()
  expect(await preview(LIST)).toMatchObject({
    counts: { new: 3, update: 0, same: 0, invalid: 0 },
    lines: [
      { line: 2, number: '+442079460001', country_code: 'GB', action: 'new', problem: null },
      { line: 3, number: '+442079460002' },
      { line: 4, number: '+18002345678', country_code: 'US' },
    ],
  })
  expect(await list()).toEqual([])
  expect((await run(LIST)).answer).toEqual({ imported: 3, updated: 0, skipped: 0 })
  expect(await list()).toMatchObject([
    {
      number: '+442079460001',
      area: 'London',
      type: 'local',
      trunk: { name: 'Carrier A' },
      monthly: 2.5,
      setup: 1,
      price: 0.01,
      cost_monthly: 1.25,
      cost: 0.004,
      max_calls: 20,
      tags: ['gold', 'vip'],
      note: 'first',
      status: 'available',
    },
    { number: '+442079460002', monthly: 3, setup: 0, trunk: null, max_calls: 10 },
    { type: 'toll_free' },
  ])
  expect(await auditOf(shop, shop.root, 'number.import')).toMatchObject([
    { after: { imported: 3, numbers: ['+442079460001', '+442079460002', '+18002345678'] } },
  ])
})

it('names the problem of every invalid line and imports the others', async () => {
  const { preview, run, list } = await setUp()
  const csv = `number,country,type,trunk,monthly,max_calls
12,,,,1,
+442079460001,,,,1,
+442079460001,,,,1,
+442079460002,DE,,,1,
+442079460003,Atlantis,,,1,
+442079460004,,satellite,,1,
+442079460005,,,Nobody,1,
+442079460006,,,,,
+442079460007,,,,-1,
+442079460008,,,,1,2000
`
  const { counts, lines } = await preview(csv)
  expect(counts).toEqual({ new: 1, update: 0, same: 0, invalid: 9 })
  expect(lines.map(({ line, problem }) => [line, problem])).toEqual([
    [2, 'This is not a valid phone number. Write it in international format or give its country.'],
    [4, 'This number is already on line 3.'],
    [5, 'This number belongs to another country.'],
    [6, 'This country is unknown. Write its English name or its two-letter code.'],
    [7, 'The type must be local, mobile, national or toll-free.'],
    [8, 'There is no trunk with the name “Nobody”.'],
    [9, 'The price per month is missing.'],
    [10, 'The price per month must be an amount from $0 to $10,000.'],
    [11, 'The number of calls must be from 1 to 1000.'],
    [3, null],
  ])
  expect((await run(csv)).answer).toEqual({ imported: 1, updated: 0, skipped: 9 })
  expect(await list()).toMatchObject([{ number: '+442079460001' }])
})

it('updates known numbers with the fields of the list, once for each request', async () => {
  const { shop, preview, run, list } = await setUp()
  await run(LIST)
  const csv = 'number,monthly,note\n+442079460001,4,\n+442079460002,3,\n+442079460003,1,new\n'
  expect((await preview(csv)).counts).toEqual({ new: 1, update: 1, same: 1, invalid: 0 })
  const key = newKey()
  expect((await run(csv, key)).answer).toEqual({ imported: 1, updated: 1, skipped: 1 })
  const [first] = await list()
  expect(first).toMatchObject({ monthly: 4, note: 'first', tags: ['gold', 'vip'], version: 2 })
  await shop.call('PATCH /api/admin/numbers/:id', {
    token: shop.root.token,
    params: { id: first?.id ?? 0 },
    body: { monthly: 9, version: 2 } as never,
  })
  expect((await run(csv, key)).answer).toEqual({ imported: 1, updated: 1, skipped: 1 })
  expect((await list())[0]).toMatchObject({ monthly: 9, version: 3 })
  expect(await run(`${csv}+442079460009,1,\n`, key)).toMatchObject({ status: 409, code: 'key_conflict' })
  expect(await auditOf(shop, shop.root, 'number.update')).toHaveLength(2)
})

it('refuses a file without numbers or without their column', async () => {
  const { run } = await setUp()
  expect(await run('monthly,area\n1,London\n')).toMatchObject({ status: 400 })
  expect(await run('number,monthly\n')).toMatchObject({ status: 400, message: 'The file has no numbers.' })
})

it('imports 1,000 numbers in less than two seconds', async () => {
  const { run } = await setUp()
  let fastest = Number.POSITIVE_INFINITY
  // Again if the machine was busy.
  for (let round = 5; round <= 8 && fastest >= 2_000; round++) {
    const lines = Array.from({ length: 1_000 }, (_, at) => `+4420794${String(round * 10_000 + at)},1,London`)
    const csv = `number,monthly,area\n${lines.join('\n')}\n`
    const begun = performance.now()
    expect((await run(csv)).answer).toEqual({ imported: 1_000, updated: 0, skipped: 0 })
    fastest = Math.min(fastest, performance.now() - begun)
  }
  expect(fastest).toBeLessThan(2_000)
})

it('shows how many numbers are written while an import runs, and nothing afterwards', async () => {
  const { shop, run, list } = await setUp()
  const { db } = shop.services
  const numberAt = (at: number) => `44207946${String(at).padStart(4, '0')}`
  const lines = Array.from({ length: 600 }, (_, at) => `+${numberAt(at)},2`)
  const request_key = newKey()
  const progress = async () =>
    (await shop.call('GET /api/admin/numbers/import', { token: shop.root.token, query: { request_key } }))
      .answer.progress
  expect(await progress()).toBeNull()
  // Another transaction adds a number of the second part, so the import waits for it.
  const waiting = Promise.withResolvers<void>()
  const held = db
    .transaction()
    .execute(async (tx) => {
      const prices = { monthly_micros: 0n, setup_micros: 0n, price_micros: 0n, cost_micros: 0n }
      await tx
        .insertInto('numbers')
        .values({
          e164: numberAt(300),
          country: 'GB',
          type: 'local',
          ...prices,
          max_calls: 1,
          status: 'available',
          created_at: shop.clock.now(),
        })
        .execute()
      await waiting.promise
      throw new Error('rolled back')
    })
    .catch(() => {})
  const running = run(`number,monthly\n${lines.join('\n')}`, request_key)
  await expect.poll(progress).toEqual({ done: 250, total: 600 })
  expect(await list()).toEqual([])
  waiting.resolve()
  await held
  expect((await running).answer).toEqual({ imported: 600, updated: 0, skipped: 0 })
  expect(await progress()).toBeNull()
})
