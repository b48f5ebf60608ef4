import { describe, expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { copyOf } from '../../../platform/csv.ts'
import { insertCdrs } from './cdr-store.ts'
import { fileOfCdrs } from './csv-store.ts'
import { readRecordId, writeRecordId } from './record-id.ts'

async function twoCustomers() {
  const portal = await createPortal()
  const alice = await signUp(portal, 'alice')
  const mallory = await signUp(portal, 'mallory')
  const admin = await signUp(portal, 'root', { isAdmin: true })
  const hers = aCdr({ userId: alice.id, callId: 'sw1/hers', country: 'FR', destination: '33142685300' })
  const his = aCdr({ userId: mallory.id, callId: 'sw1/his', sipAccount: 'mallory' })
  await insertCdrs(portal.services.db, systemOwner, [hers, his, aCdr({ callId: 'sw1/nobody' })])
  const herId = writeRecordId(hers)
  const csv = async (token: string, query = '', address = '/api/cdr.csv') =>
    await portal.api.inject({ url: `${address}${query}`, headers: { authorization: `Bearer ${token}` } })
  return { portal, alice, mallory, admin, hers, his, herId, csv }
}

describe('a customer', () => {
  it('sees no records of other customers by list, search, filter, cursor or export', async () => {
    const { portal, alice, mallory, herId, csv } = await twoCustomers()
    const queries: Record<string, string | number>[] = [
      {},
      { search: '33142685300' },
      { search: 'alice' },
      { country: 'FR' },
      { cursor: herId },
      // The maximum cursor: all records follow it.
      { cursor: writeRecordId({ startedAt: new Date(8.64e15), callId: 'z' }) },
      { limit: 500, timezone: 'Europe/London' },
    ]
    for (const query of queries) {
      const { answer } = await portal.call('GET /api/cdr', { token: mallory.token, query })
      expect(answer.records.map(({ uniqueid }) => uniqueid)).not.toContain('sw1/hers')
      expect(answer.records.map(({ uniqueid }) => uniqueid)).not.toContain('sw1/nobody')
      const { answer: sums } = await portal.call('GET /api/cdr/totals', {
        token: mallory.token,
        query: 'search' in query || 'country' in query ? query : {},
      })
      expect(sums.totals.calls).toBe('search' in query || 'country' in query ? 0 : 1)
    }
    const file = (await csv(mallory.token)).body
    expect(file).toContain('mallory')
    expect(file).not.toMatch(/33142685300|alice/)
    expect((await csv(alice.token)).body).toContain('33142685300')
    const { answer } = await portal.call('GET /api/calls/records', { token: mallory.token })
    expect(answer.records).toHaveLength(1)
  })

  it('cannot request another customer’s records by user ID', async () => {
    const { portal, alice, mallory, csv } = await twoCustomers()
    for (const address of ['GET /api/cdr', 'GET /api/cdr/totals'] as const)
      expect(await portal.call(address, { token: mallory.token, query: { user: alice.id } })).toMatchObject({
        status: 400,
        code: 'invalid_input',
      })
    expect((await csv(mallory.token, `?user=${alice.id}`)).statusCode).toBe(400)
  })

  it('cannot filter by carrier data, and cannot use the filters of administrators', async () => {
    const { portal, alice, csv } = await twoCustomers()
    const { token } = alice
    const filters: Record<string, string | number>[] = [
      { trunk: 1 },
      { route: 1 },
      { sip_code: 200 },
      { reason: 'hung_up_by_caller' },
      { caller_id: '1202' },
      { source_address: '192.0.2.10' },
      { device: 'Yealink' },
      { min_margin: 0.001 },
      { margin_below: 0 },
    ]
    for (const query of filters) {
      for (const address of ['GET /api/cdr', 'GET /api/cdr/totals'] as const)
        expect({ query, ...(await portal.call(address, { token, query })) }).toMatchObject({
          query,
          status: 400,
          code: 'invalid_input',
        })
      for (const address of ['GET /api/admin/cdr', 'GET /api/admin/cdr/totals'] as const)
        expect(await portal.call(address, { token, query })).toMatchObject({ status: 403 })
      const search = `?${new URLSearchParams(query as Record<string, string>)}`
      expect((await csv(token, search)).statusCode).toBe(400)
      expect((await csv(token, search, '/api/admin/cdr.csv')).statusCode).toBe(403)
    }
  })

  it('gets 404 for another customer’s record, which an administrator can read', async () => {
    const { portal, alice, mallory, admin, herId } = await twoCustomers()
    const open = (token: string) => portal.call('GET /api/cdr/:id', { token, params: { id: herId } })
    expect((await open(alice.token)).answer.record.uniqueid).toBe('sw1/hers')
    expect(await open(mallory.token)).toMatchObject({ status: 404, code: 'not_found' })
    const params = { id: herId }
    expect(await portal.call('GET /api/admin/cdr/:id', { token: mallory.token, params })).toMatchObject({
      status: 403,
    })
    expect((await portal.call('GET /api/admin/cdr/:id', { token: admin.token, params })).status).toBe(200)
  })

  it('does not see carrier names and carrier costs', async () => {
    const { portal, alice, herId, csv } = await twoCustomers()
    const { token } = alice
    const answers = [
      await portal.call('GET /api/cdr', { token }),
      await portal.call('GET /api/cdr/:id', { token, params: { id: herId } }),
      await portal.call('GET /api/calls/records', { token }),
    ].map(({ answer }) => JSON.stringify(answer))
    for (const text of [...answers, (await csv(token)).body]) {
      expect(text).not.toMatch(/Carrier One/)
      expect(text).not.toMatch(/0\.004/)
      expect(text).not.toMatch(/trunk_id|margin/)
    }
    expect((await csv(token)).body).not.toContain('buycost')
  })

  it('cannot export all records', async () => {
    const { mallory, admin, csv } = await twoCustomers()
    expect((await csv(mallory.token, '', '/api/admin/cdr.csv')).statusCode).toBe(403)
    const all = (await csv(admin.token, '', '/api/admin/cdr.csv')).body
    expect(all.split('\n')[0]).toBe(
      'date,time,caller,destination,country,duration,cost,status,started_at,reason,route,sipiax,src,real_sessiontime,agent_bill,buycost,user_id,trunk,switch,device,direction,caller_name',
    )
    expect(all.trim().split('\n')).toHaveLength(4)
  })
})

describe('prevents SQL injection', () => {
  const attacks = [
    `' or true --`,
    `%' or user_id <> 0 --`,
    `\\' or true --`,
    `$1`,
    `'; drop table cdrs; --`,
    `E'\\\\'; copy cdrs to program 'id'`,
    `%`,
    `_`,
    `\\`,
  ]

  it('in the search of the list and of the export', async () => {
    const { portal, mallory, csv } = await twoCustomers()
    for (const search of attacks) {
      const found = await portal.call('GET /api/cdr', { token: mallory.token, query: { search } })
      expect({ search, ...found }).toMatchObject({ search, status: 200, answer: { records: [] } })
      const file = await csv(mallory.token, `?search=${encodeURIComponent(search)}`)
      expect({ search, status: file.statusCode }).toEqual({ search, status: 200 })
      expect(file.body).not.toContain('33142685300')
    }
    expect((await portal.call('GET /api/cdr', { token: mallory.token })).answer.records).toHaveLength(1)
  })

  it('in a time zone', async () => {
    const { mallory, csv } = await twoCustomers()
    for (const timezone of [`UTC' or true --`, '+05:30', 'Mars/Olympus', `UTC'), user_id--`])
      expect((await csv(mallory.token, `?timezone=${encodeURIComponent(timezone)}`)).statusCode).toBe(400)
  })

  it('in the COPY statement of an export, by driver quoting', async () => {
    const { portal } = await twoCustomers()
    const { statement } = copyOf(
      fileOfCdrs(portal.services.db, systemOwner, { search: `x' or '1'='1` }, 'UTC'),
    )
    expect(statement).toContain(`like '%x'' or ''1''=''1%'`)
  })
})

describe('an export', () => {
  it('contains no spreadsheet formulas', async () => {
    const { portal, alice, csv } = await twoCustomers()
    const armed = ['=1+1', '+cmd|calc', '-2', '@SUM(A1)', '\tx', '\rx']
    await insertCdrs(
      portal.services.db,
      systemOwner,
      armed.map((dialed) =>
        aCdr({
          userId: alice.id,
          status: 'refused',
          dialed,
          destination: '',
          routeName: dialed,
          sipAccount: dialed,
          callerId: '',
        }),
      ),
    )
    const { body } = await csv(alice.token)
    const cells = body
      .split('\n')
      .flatMap((line) => line.split(','))
      .map((cell) => cell.replace(/^"/, ''))
    expect(cells.filter((cell) => /^[=+@\t\r-]/.test(cell))).toEqual([])
    for (const text of armed.slice(0, 4)) expect(body).toContain(`'${text}`)
  })
})

it('parses only valid record IDs', () => {
  const key = { startedAt: new Date('2026-03-01T10:00:00.123Z'), callId: 'sw1/a.b-c@d/é' }
  expect(readRecordId(writeRecordId(key))).toEqual(key)
  for (const bad of ['', '.', 'x', 'zzzzzzzzzzz.YQ', `${(1).toString(36)}.AA`])
    expect(readRecordId(bad)).toBeNull()
})
