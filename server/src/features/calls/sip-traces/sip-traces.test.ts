import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { createPortal, type Portal, signUp } from '../../../../test/portal.ts'
import { DAY, SECOND } from '../../../platform/clock.ts'
import { createMetrics } from '../../../platform/metrics.ts'
import { insertCdrs } from '../cdr/cdr-store.ts'
import { writeRecordId } from '../cdr/record-id.ts'
import { createTraceDays } from './days.ts'
import { createTraceRecorder, type defaultTraceLimits } from './recorder.ts'

const phone = { address: '198.51.100.7', port: 5062 }
const own = { address: '192.0.2.1', port: 5060 }
const carrier = { address: '203.0.113.1', port: 5060 }
const logger = pino({ level: 'silent' })

type Given = { tag?: string; cseq?: string; branch?: string; to?: string; more?: string }
const message = (
  line: string,
  { tag = 'a', cseq = '1 INVITE', branch = 'p1', to = '', more = '' }: Given = {},
) =>
  `${line}\r\nVia: SIP/2.0/UDP x;branch=${branch}\r\nFrom: <sip:a@b>;tag=${tag}\r\nTo: <sip:c@d>${to}\r\nCall-ID: one\r\nCSeq: ${cseq}\r\n${more}\r\n`
const INVITE = 'INVITE sip:44@192.0.2.1 SIP/2.0'
const BYE = 'BYE sip:44@192.0.2.1 SIP/2.0'
const SECRET = 'Proxy-Authorization: Digest username="alice", nonce="n0nce", response="d1gest"\r\n'

async function record(limits: Partial<typeof defaultTraceLimits> = {}) {
  const portal = await createPortal()
  const { db } = portal.services
  const metrics = createMetrics()
  const recorder = createTraceRecorder({ db, clock: portal.clock, logger, metrics, limits })
  const at = (ms: number) => portal.clock.now().getTime() + ms
  const receive = (ms: number, text: string, source = phone, target = own) =>
    recorder.receive({ switchId: 'sw1', at: at(ms), source, target, text })
  const authorize = (call = 'call', tag = 'a') =>
    recorder.authorized('sw1', {
      type: 'authorize',
      call,
      at: at(0),
      address: phone.address,
      to: '44',
      sip: 'one',
      tag,
    })
  const flush = async () => {
    portal.clock.advance(3 * SECOND)
    await recorder.flush()
  }
  /** How many messages had this result. */
  const counted = async (result: string) =>
    Number(
      new RegExp(`trunkline_sip_messages_total\\{result="${result}"\\} (\\d+)`).exec(
        await metrics.text(),
      )?.[1] ?? 0,
    )
  const admin = await signUp(portal, 'root', { isAdmin: true })
  const started = portal.clock.now()
  const show = (token = admin.token) =>
    portal.call('GET /api/admin/cdr/:id/messages', {
      token,
      params: { id: writeRecordId({ startedAt: started, callId: 'sw1/call' }) },
    })
  await insertCdrs(db, systemOwner, [
    aCdr({
      callId: 'sw1/call',
      startedAt: started,
      attempts: [{ trunk: 1, name: 'Carrier One', code: 200, reason: 'OK', at: at(5) }],
    }),
  ])
  return { portal, db, metrics, recorder, receive, authorize, flush, counted, show, admin }
}

const days = async ({ services }: Portal) => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'sip_traces'::regnamespace and relname like 'd2%' and relkind = 'r' order by 1`.execute(
    services.db,
  )
  return rows.map(({ name }) => name)
}

describe('the SIP messages of a call', () => {
  it('are a ladder without secrets', async () => {
    const { receive, authorize, flush, show, counted, db } = await record()
    receive(0, message(INVITE, { more: SECRET }))
    authorize()
    receive(10, message(INVITE, { branch: 's1' }), own, carrier)
    receive(20, message('SIP/2.0 200 OK', { branch: 's1', to: ';tag=b' }), carrier, own)
    receive(21, message('SIP/2.0 200 OK', { to: ';tag=b' }), own, phone)
    await flush()
    const { answer } = await show()
    expect(answer.trace).toMatchObject({
      state: 'captured',
      columns: [
        { kind: 'phone', address: '198.51.100.7:5062' },
        { kind: 'switch' },
        { kind: 'carrier', name: 'Carrier One', address: '203.0.113.1:5060' },
      ],
    })
    expect(answer.trace.messages.map(({ from, to, first_line }) => [from, to, first_line])).toEqual([
      [0, 1, INVITE],
      [1, 2, INVITE],
      [2, 1, 'SIP/2.0 200 OK'],
      [1, 0, 'SIP/2.0 200 OK'],
    ])
    expect(JSON.stringify(answer)).not.toMatch(/n0nce|d1gest/)
    expect(await counted('stored')).toBe(4)
    const { rows } = await sql`select from sip_traces.chunks`.execute(db)
    expect(rows).toHaveLength(1)
  })

  it('continue after a restart of call control', async () => {
    const { portal, db, receive, authorize, flush, show, metrics: _, ...rest } = await record()
    receive(0, message(INVITE))
    authorize()
    receive(10, message(INVITE, { branch: 's1' }), own, carrier)
    await flush()
    await sql`insert into live_calls (call_id, switch_id, user_id, state, sip_account, source_address, caller_id, dialed, destination, country,
      line_type, route_id, route_name, plan_name, price_micros, connect_fee_micros, first_increment, next_increment, trunks, held_micros,
      covered_seconds, started_at) values ('sw1/call', 'sw1', ${rest.admin.id}, 'ringing', '', '', '', '', '', '', '', 1, '', '', 0, 0, 1, 1, '[]', 0, 1,
      ${portal.clock.now()})`.execute(db)
    const next = createTraceRecorder({ db, clock: portal.clock, logger, metrics: createMetrics() })
    await next.recover()
    const bye = message(BYE, { tag: 'b', cseq: '1 BYE', branch: 'c1', to: ';tag=a' })
    next.receive({
      switchId: 'sw1',
      at: portal.clock.now().getTime(),
      source: carrier,
      target: own,
      text: bye,
    })
    await next.close()
    const { answer } = await show()
    expect(answer.trace.messages.map(({ from, to, method }) => [from, to, method])).toEqual([
      [0, 1, 'INVITE'],
      [1, 2, 'INVITE'],
      [2, 1, 'BYE'],
    ])
  })

  it('of callers that were never identified are not stored', async () => {
    const { portal, receive, flush, counted, db } = await record({ unknownDialogs: 3 })
    for (let i = 0; i < 10; i++) receive(i, message(INVITE, { tag: `stranger-${i}` }))
    receive(20, message('SIP/2.0 407 No', { tag: 'nobody' }))
    receive(21, 'GET /phone/browser~1 HTTP/1.1\r\n\r\n')
    portal.clock.advance(20 * SECOND)
    await flush()
    expect((await sql`select from sip_traces.chunks`.execute(db)).rows).toHaveLength(0)
    expect([await counted('dropped'), await counted('ignored')]).toEqual([7, 5])
  })

  it('of a second call with the same Call-ID belong to that call', async () => {
    const { receive, authorize, flush, show, db, portal } = await record()
    receive(0, message(INVITE))
    authorize()
    await flush()
    receive(0, message(BYE, { cseq: '2 BYE', branch: 'p2', to: ';tag=b' }))
    receive(1, message(INVITE, { cseq: '3 INVITE', branch: 'p3' }))
    authorize('again')
    await flush()
    expect((await show()).answer.trace.messages.map(({ method }) => method)).toEqual(['INVITE', 'BYE'])
    const { rows } = await sql`select call_id from sip_traces.chunks order by begins`.execute(db)
    expect(rows).toEqual([{ call_id: 'sw1/call' }, { call_id: 'sw1/call' }, { call_id: 'sw1/again' }])
    expect(await days(portal)).toEqual(['d2026_03_01'])
  })
})

describe('the limits', () => {
  it('end the capture of a call with too many messages, but not of its end', async () => {
    const { receive, authorize, flush, show, counted } = await record({ messagesPerCall: 5 })
    authorize()
    for (let i = 0; i < 9; i++) receive(i, message(INVITE))
    receive(20, message(BYE, { cseq: '2 BYE', branch: 'p2', to: ';tag=b' }))
    await flush()
    const { answer } = await show()
    expect(answer.trace.messages.map(({ method, is_retransmission }) => [method, is_retransmission])).toEqual(
      [['INVITE', false], ...Array(4).fill(['INVITE', true]), ['BYE', false]],
    )
    expect(await counted('dropped')).toBe(4)
  })

  it('drop the oldest messages of a full queue', async () => {
    const { receive, authorize, flush, show, counted } = await record({ queue: 3 })
    authorize()
    for (let i = 1; i <= 5; i++) receive(i, message(INVITE, { branch: `p${i}`, cseq: `${i} INVITE` }))
    await flush()
    const { answer } = await show()
    expect(answer.trace.messages.map(({ text }) => /CSeq: (\d)/.exec(text)?.[1])).toEqual(['3', '4', '5'])
    expect(await counted('dropped')).toBe(2)
  })

  it('keep messages while the database is away', async () => {
    const { receive, authorize, flush, show, db, counted } = await record()
    await sql`alter table sip_traces.chunks rename to away`.execute(db)
    authorize()
    receive(0, message(INVITE))
    await flush()
    expect(await counted('stored')).toBe(0)
    await sql`alter table sip_traces.away rename to chunks`.execute(db)
    await flush()
    expect((await show()).answer.trace.messages).toHaveLength(1)
  })
})

describe('the retention', () => {
  it('drops whole days and says so in the record', async () => {
    const { portal, db, receive, authorize, flush, show } = await record()
    authorize()
    receive(0, message(INVITE))
    await flush()
    const keep = createTraceDays({ db, clock: portal.clock, logger, days: 7 })
    portal.clock.advance(7 * DAY)
    await keep()
    const { token } = await signUp(portal, 'later', { isAdmin: true })
    expect((await show(token)).answer.trace.state).toBe('captured')
    portal.clock.advance(DAY)
    await keep()
    expect(await days(portal)).toEqual(['d2026_03_08', 'd2026_03_09', 'd2026_03_10'])
    expect((await show(token)).answer.trace).toMatchObject({ state: 'expired', days: 7, messages: [] })
  })

  it('of 0 days removes everything', async () => {
    const { portal, db, receive, authorize, flush } = await record()
    authorize()
    receive(0, message(INVITE))
    await flush()
    await createTraceDays({ db, clock: portal.clock, logger, days: 0 })()
    expect(await days(portal)).toEqual([])
  })
})
