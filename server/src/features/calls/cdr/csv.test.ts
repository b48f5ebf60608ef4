import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { forAll } from '../../../../test/lifetime.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { insertCdrs } from './cdr-store.ts'

/** More than all buffers hold, so that a stalled reader stalls the database. */
const MANY = 60_000

async function portalWithMany(count = MANY) {
  const portal = await createPortal()
  const { token, id } = await signUp(portal, 'alice')
  const { db } = portal.services
  await insertCdrs(db, systemOwner, [aCdr({ userId: id })])
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`
      insert into cdrs select made.* from cdrs cross join generate_series(1, ${count}::integer) as n
       cross join lateral jsonb_populate_record(cdrs, jsonb_build_object('call_id', 'sw1/copy ' || n,
         'started_at', started_at + n * interval '1 second')) as made`.execute(tx)
  })
  await portal.api.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.api.server.address() as AddressInfo
  const open = async (): Promise<IncomingMessage> => {
    const request = get({
      port,
      host: '127.0.0.1',
      path: '/api/cdr.csv',
      agent: false,
      headers: { authorization: `Bearer ${token}` },
    })
    const [response] = await once(request, 'response')
    return response as IncomingMessage
  }
  const exports = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from pg_stat_activity
       where application_name = 'trunkline export' and datname = current_database()`.execute(db)
    return rows[0]?.count ?? 0
  }
  const untilNoExports = async () => {
    while ((await exports()) > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { portal, open, exports, untilNoExports }
}

describe('an export of many records', () => {
  const many = forAll(() => portalWithMany())

  it('is complete, newest first, with a header line', async () => {
    const { open, untilNoExports } = await portalWithMany(5_000)
    const response = await open()
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(response.headers['content-disposition']).toBe('attachment; filename="cdr_report.csv"')
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    const lines = Buffer.concat(chunks).toString().trim().split('\n')
    expect(lines).toHaveLength(5_002)
    expect(lines[0]).toBe(
      'date,time,caller,destination,country,duration,cost,status,started_at,reason,route,sipiax,src,real_sessiontime,agent_bill,direction,caller_name',
    )
    expect(lines[1]).toBe(
      '2026-03-01,12:23:20,12025550100,442079460000,United Kingdom,60,0.010000,completed,2026-03-01T12:23:20.000Z,The caller hung up.,Gold CLI,alice,12025550100,60,0.010000,out,',
    )
    expect(lines.at(-1)).toContain('2026-03-01T11:00:00.000Z')
    const times = lines.slice(1).map((line) => line.split(',')[8] ?? '')
    expect(times).toEqual([...times].sort().reverse())
    await untilNoExports()
  })

  it('cancels the query when the client disconnects', async () => {
    const { open, exports, untilNoExports } = many()
    const response = await open()
    await once(response, 'readable')
    response.read(100)
    expect(await exports()).toBe(1)
    response.destroy()
    await untilNoExports()
  })

  it('aborts the connection when the database fails during the export', async () => {
    const { portal, open, untilNoExports } = many()
    const response = await open()
    await once(response, 'readable')
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'trunkline export' and datname = current_database()`.execute(
      portal.services.db,
    )
    const reading = (async () => {
      for await (const _ of response) {
      }
    })()
    await expect(reading).rejects.toThrow('aborted')
    await untilNoExports()
  })

  it('is limited to two at a time per customer', async () => {
    const { open, untilNoExports } = many()
    const [first, second] = [await open(), await open()]
    expect((await open()).statusCode).toBe(429)
    first.destroy()
    second.destroy()
    await untilNoExports()
    const third = await open()
    expect(third.statusCode).toBe(200)
    third.destroy()
    await untilNoExports()
  })
})
