import { micros } from '@trunkline/domain/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { auditOf, createShop } from '../../../../test/catalogue.ts'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { insertCdrs, type NewCdr } from '../cdr/cdr-store.ts'

const at = (time: string) => new Date(`2026-03-02T${time}Z`)
const HEADER = 'Start time;Called number;Caller;Duration;Amount;Call ID'

/** A carrier with five answered calls of March 2, and an upload of its invoice. */
async function createDesk(trunkTerms: object = {}) {
  const shop = await createShop()
  const { token } = shop.root
  const trunk = await shop.addTrunk({ name: 'Carrier One', ...trunkTerms })
  const other = await shop.addTrunk({ name: 'Carrier Two' })
  const call = (time: string, destination: string, changes: Partial<NewCdr> = {}) =>
    aCdr({ startedAt: at(time), destination, dialed: `+${destination}`, trunkId: trunk.id, ...changes })
  await insertCdrs(shop.services.db, systemOwner, [
    call('10:00:00', '4930111111'),
    call('10:10:00', '4930222222'),
    call('10:20:00', '4930333333'),
    call('10:30:00', '4930444444'),
    call('10:40:00', '4930555555', { buyMicros: micros(9_000n) }),
    // Not answered by this carrier.
    call('10:00:00', '4930666666', { trunkId: other.id, trunkName: 'Carrier Two' }),
    call('10:00:00', '4930777777', { status: 'no-answer', seconds: 0 }),
    // Another day.
    aCdr({ startedAt: new Date('2026-03-04T10:00:00Z'), trunkId: trunk.id }),
  ])
  const ask = { token }
  return {
    shop,
    trunk,
    token,
    upload: (file: string, changes: object = {}) =>
      shop.call('POST /api/admin/carrier-invoices', {
        ...ask,
        body: { trunk_id: trunk.id, name: 'March 2026', file, ...changes },
      }),
    calls: async (id: number, query: Record<string, string | number> = {}) =>
      (await shop.call('GET /api/admin/carrier-invoices/:id/calls', { ...ask, params: { id }, query }))
        .answer,
    csv: async (id: number, query = '') =>
      await shop.api.inject({
        url: `/api/admin/carrier-invoices/${id}/calls.csv${query}`,
        headers: { authorization: `Bearer ${token}` },
      }),
  }
}

/** Equal, longer, another price, not billed, and one call that we do not have. */
const FILE = [
  HEADER,
  '2026-03-02 10:00:05;+49 30 111111;12025550100;60;0,004;c-1',
  '2026-03-02 10:10:05;4930222222;12025550100;75;0,005;c-2',
  '2026-03-02 10:20:05;4930333333;12025550100;1:00;0,009;c-3',
  '2026-03-02 10:30:05;4930444444;12025550100;00:01:00;0,004;c-4',
  '2026-03-02 10:50:00;4930888888;=cmd|calc;60;0,5;+c-6',
  '2026-03-02 10:55:00;4930999999;12025550100;0;0;c-7',
  'Total;;;;0,522;',
].join('\r\n')

describe('an invoice of a carrier', () => {
  it('is compared call by call and stored with its totals', async () => {
    const { upload, calls, trunk, shop, token } = await createDesk()
    const { status, answer } = await upload(FILE, { file_name: 'march.csv' })
    expect(status).toBe(200)
    const { invoice } = answer
    expect(invoice).toMatchObject({
      name: 'March 2026',
      file_name: 'march.csv',
      trunk: { id: trunk.id, name: 'Carrier One', exists: true },
      from: '2026-03-02T00:00:00.000Z',
      to: '2026-03-03T00:00:00.000Z',
      state: 'open',
      uploaded_by: 'root',
      carrier: { calls: 5, seconds: 315, amount: 0.522 },
      own: { calls: 5, seconds: 300, amount: 0.025 },
      fault_count: 1,
      free_count: 1,
      shift_minutes: null,
    })
    expect(invoice.sums.map(({ kind, calls: count, over, under }) => [kind, count, over, under])).toEqual([
      ['carrier_only', 1, 0.5, 0],
      ['own_only', 1, 0, 0.009],
      ['longer', 1, 0.001, 0],
      ['shorter', 0, 0, 0],
      ['price', 1, 0.005, 0],
      ['equal', 2, 0, 0],
    ])
    const listed = await calls(invoice.id)
    expect(
      listed.calls.map(({ kind, difference, carrier, own }) => [
        kind,
        difference,
        carrier?.line,
        own?.number,
      ]),
    ).toEqual([
      ['carrier_only', 0.5, 6, undefined],
      ['own_only', -0.009, undefined, '4930555555'],
      ['price', 0.005, 4, '4930333333'],
      ['longer', 0.001, 3, '4930222222'],
    ])
    expect(listed.next).toBeNull()

    const record = listed.calls[3]?.own?.id ?? ''
    const found = await shop.call('GET /api/admin/cdr/:id', { token, params: { id: record } })
    expect(found.answer.record).toMatchObject({ destination: '+4930222222', duration: 60 })

    const { answer: again } = await shop.call('GET /api/admin/carrier-invoices/:id', {
      token,
      params: { id: invoice.id },
    })
    expect(again).toEqual({ invoice, faults: [{ line: 8, reason: 'number_missing', value: '' }] })
    expect((await auditOf(shop, shop.root, 'carrier_invoice.create'))[0]).toMatchObject({
      subject: `carrier invoice ${invoice.id}`,
      after: { name: 'March 2026', trunk: 'Carrier One', calls: 5, amount: '$0.522' },
    })
  })

  it('lists its calls in pages, by kind, the largest amount first', async () => {
    const { upload, calls } = await createDesk()
    const lines = Array.from(
      { length: 25 },
      (_, n) => `2026-03-02 11:00:00;49301234${10 + n};;60;0.0${10 + (n % 3)};`,
    )
    const { answer } = await upload([HEADER, ...lines].join('\n'))
    const seen: [number, number][] = []
    let after: string | undefined
    do {
      const page = await calls(answer.invoice.id, { kind: 'carrier_only', limit: 4, ...(after && { after }) })
      for (const { difference, carrier } of page.calls) seen.push([difference, carrier?.line ?? 0])
      after = page.next ?? undefined
    } while (after)
    expect(seen).toHaveLength(25)
    expect(seen).toEqual([...seen].sort((left, right) => right[0] - left[0] || left[1] - right[1]))
    expect((await calls(answer.invoice.id, { limit: 100 })).calls).toHaveLength(30)
    expect((await calls(answer.invoice.id, { kind: 'equal' })).calls).toEqual([])
  })

  it('is exported without formulas that a spreadsheet would run', async () => {
    const { upload, csv } = await createDesk()
    const { answer } = await upload(FILE)
    const { headers, body } = await csv(answer.invoice.id)
    expect(headers['content-disposition']).toBe(
      `attachment; filename="carrier-invoice-${answer.invoice.id}.csv"`,
    )
    const lines = body.trim().split('\n')
    expect(lines).toHaveLength(5)
    expect(lines[1]).toBe(
      "carrier_only,0.500000,6,2026-03-02T10:50:00.000Z,4930888888,60,,0.500000,'=cmd|calc,'+c-6,,,,,",
    )
    const only = (await csv(answer.invoice.id, '?kind=longer')).body.trim().split('\n')
    expect(only).toHaveLength(2)
    expect(only[1]).toMatch(/^longer,0\.001000,3,/)
  })

  it('is accepted or disputed with a note, which the audit log records', async () => {
    const { upload, shop, token } = await createDesk()
    const { id } = (await upload(FILE)).answer.invoice
    const change = (body: object) =>
      shop.call('PATCH /api/admin/carrier-invoices/:id', { token, params: { id }, body })
    const { answer } = await change({ version: 1, state: 'disputed', note: 'Asked for a credit.' })
    expect(answer.invoice).toMatchObject({ state: 'disputed', note: 'Asked for a credit.', version: 2 })
    expect(await change({ version: 1, state: 'accepted' })).toMatchObject({
      status: 409,
      code: 'changed_meanwhile',
    })
    expect((await auditOf(shop, shop.root, 'carrier_invoice.update'))[0]).toMatchObject({
      before: { state: 'open', note: '' },
      after: { state: 'disputed', note: 'Asked for a credit.' },
    })
    const list = (query: Record<string, string | number>) =>
      shop.call('GET /api/admin/carrier-invoices', { token, query })
    expect((await list({ state: 'disputed' })).answer.invoices.map((each) => each.id)).toEqual([id])
    expect((await list({ state: 'open' })).answer.invoices).toEqual([])
    expect((await list({ trunk: 999 })).answer.invoices).toEqual([])
  })

  it('is deleted with its calls, and outlives its trunk', async () => {
    const { upload, shop, trunk, token } = await createDesk()
    const { id } = (await upload(FILE)).answer.invoice
    await shop.call('DELETE /api/trunks/:id', { token, params: { id: trunk.id } })
    const find = () => shop.call('GET /api/admin/carrier-invoices/:id', { token, params: { id } })
    expect((await find()).answer.invoice.trunk).toEqual({ id: trunk.id, name: 'Carrier One', exists: false })
    const { status } = await shop.call('DELETE /api/admin/carrier-invoices/:id', { token, params: { id } })
    expect(status).toBe(200)
    expect((await find()).status).toBe(404)
    const { rows } = await sql`select from carrier_invoice_calls`.execute(shop.services.db)
    expect(rows).toEqual([])
    expect((await auditOf(shop, shop.root, 'carrier_invoice.delete'))[0]).toMatchObject({
      before: { name: 'March 2026', trunk: 'Carrier One' },
    })
  })

  it('takes its period from the operator, in the time zone of the file', async () => {
    const { upload } = await createDesk()
    const file = [HEADER, '2026-03-02 05:00:05;4930111111;;60;0.004;'].join('\n')
    const zone = { timezone: 'America/New_York' }
    const { answer } = await upload(file, { ...zone, from: '2026-03-01', to: '2026-03-31' })
    expect(answer.invoice).toMatchObject({ from: '2026-03-01T05:00:00.000Z', to: '2026-04-01T04:00:00.000Z' })
    const counts = Object.fromEntries(answer.invoice.sums.map(({ kind, calls }) => [kind, calls]))
    expect(counts).toMatchObject({ equal: 1, own_only: 5, carrier_only: 0 })
    const wrong = await upload(file, { ...zone, from: '2026-03-31', to: '2026-03-01' })
    expect([wrong.status, wrong.message]).toEqual([400, expect.stringContaining('100 days')])
  })

  it('suggests another time zone if that explains the differences', async () => {
    const { upload } = await createDesk()
    const lines = [1, 2, 3, 4].map(
      (n) => `2026-03-02 ${10 + 1}:${n - 1}0:05;4930${String(n).repeat(6)};;60;0.004;`,
    )
    const { answer } = await upload([HEADER, ...lines].join('\n'))
    expect(answer.invoice.shift_minutes).toBe(60)
    const right = await upload([HEADER, ...lines].join('\n'), { timezone: 'Europe/Berlin' })
    expect(right.answer.invoice.shift_minutes).toBeNull()
    expect(right.answer.invoice.sums.at(-1)).toMatchObject({ kind: 'equal', calls: 4 })
  })

  it('may list numbers as the trunk sends them', async () => {
    const { upload } = await createDesk({ strip_digits: 2, add_prefix: '9900' })
    const { answer } = await upload([HEADER, '2026-03-02 10:00:05;990030111111;;60;0.004;'].join('\n'))
    expect(answer.invoice.sums.at(-1)).toMatchObject({ kind: 'equal', calls: 1 })
  })

  it('is refused for a trunk that does not exist and for archived months', async () => {
    const { upload, shop } = await createDesk()
    expect((await upload(FILE, { trunk_id: 999 })).status).toBe(404)
    await sql`insert into archives (source, begins, ends, row_count, file, sha256, archived_at)
              values ('cdrs', '2026-03-01', '2026-04-01', 1, 'x', 'x', now())`.execute(shop.services.db)
    expect(await upload(FILE)).toMatchObject({ status: 410, code: 'archived' })
    // Calls that rang over midnight belong to the archived month, which must not block the next one.
    const april = await upload(FILE.replaceAll('2026-03-02', '2026-04-01'))
    expect(april.status).toBe(200)
  })
})

describe('a hostile file', () => {
  it.each([
    [
      'one column',
      'a\nb\nc',
      /columns were not found: start or answer time, called number, duration, amount/,
    ],
    ['no line', `${HEADER}\n\n`, /no calls/],
    ['only invalid lines', `${HEADER}\nx;y;z;1;2;3`, /No line of this file/],
    ['an open quote', '"Start;Called;Duration;Amount\n1;2;3;4', /no calls/],
    ['binary content', '\u0001\u0002PK\u0003\u0004\ufffd\ufffd', /columns were not found/],
    ['dates with two readings', `${HEADER}\n05/03/2026 10:00:00;4930111111;;60;1;`, /two readings/],
  ])('with %s is refused with a reason', async (_name, file, reason) => {
    const { upload } = await createDesk()
    const { status, code, message } = await upload(file)
    expect([status, code]).toEqual([400, 'invoice_unreadable'])
    expect(message).toMatch(reason)
  })

  it('with zero bytes is refused as no text', async () => {
    const { upload } = await createDesk()
    expect(await upload(`${FILE}\0`)).toMatchObject({ status: 400, code: 'invalid_input' })
  })

  it('with a field of 5 MB loses that line, and keeps the start of a long text', async () => {
    const { upload, calls } = await createDesk()
    const huge = 'x'.repeat(5 * 1024 * 1024)
    const file = [
      HEADER,
      `2026-03-02 10:50:00;4930888888;"${'x'.repeat(5_000)}";60;0.5;${'x'.repeat(5_000)}`,
      `2026-03-02 10:50:00;${huge};;60;0.5;`,
      `2026-03-02 10:50:00;4930888888;"${huge}";60;0.5;`,
    ].join('\n')
    const { answer } = await upload(file)
    expect(answer.invoice.fault_count).toBe(2)
    const [first] = (await calls(answer.invoice.id)).calls
    expect(first?.carrier).toMatchObject({ caller: 'x'.repeat(100), call_id: 'x'.repeat(100) })
  })

  it('of more than 26 MB is refused before it is read', async () => {
    const { upload } = await createDesk()
    expect(await upload('x'.repeat(27 * 1024 * 1024))).toMatchObject({ status: 413, code: 'body_too_large' })
  })
})

it('reads only the months of the period, by index', async () => {
  const { shop, trunk } = await createDesk()
  const { db } = shop.services
  const plan = await db.connection().execute(async (session) => {
    await sql`set enable_seqscan = off`.execute(session)
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': string }>(
        `explain select call_id from cdrs where started_at >= '2026-03-02' and started_at < '2026-03-03'
          and trunk_id = ${trunk.id} and status = 'completed' limit 500000`,
      )
      .execute(session)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).not.toContain('Seq Scan')
})
