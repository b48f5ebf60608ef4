import { randomBytes } from 'node:crypto'
import { FLOWS_MAX, SOUNDS_MAX } from '@trunkline/contract/limits'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { at, withFlow } from '../../../../test/flows.ts'
import type { NumberShop } from '../../../../test/numbers.ts'

/** Accepted before a step had a limit of exits. */
const EXITS = 2_000
/** Flows with 100 versions each. The others are drafts. */
const PUBLISHED = 10

/** 110 KB that cannot be compressed. */
function largeFlow() {
  const exits = Array.from({ length: EXITS }, (_, index) => [
    `e${String(index).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`,
    randomBytes(20).toString('hex'),
  ])
  return { start: 'end', steps: [{ ...at, id: 'end', kind: 'hangup', exits: Object.fromEntries(exits) }] }
}

/** One customer has as many flows and sounds as allowed. */
async function fillFlows({ services: { db }, alice }: NumberShop): Promise<void> {
  const flow = JSON.stringify(largeFlow())
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`
      insert into flows (user_id, name, draft, secret, published_version, created_at, updated_at)
      select ${alice.id}, 'Flow ' || n, ${flow}, 'secret', case when n <= 1 + ${PUBLISHED} then 1 end, now(), now()
        from generate_series(2, ${FLOWS_MAX}::integer) as n`.execute(tx)
    await sql`
      insert into flow_versions (flow_id, number, flow, published_at, published_by)
      select id, number, ${flow}, now(), ${alice.id}
        from flows, generate_series(1, 100) as number
       where published_version is not null`.execute(tx)
    await sql`
      insert into sounds (user_id, name, origin, seconds, alaw, ulaw, created_at)
      select ${alice.id}, 'Sound ' || n, 'upload', 1, '', '', now()
        from generate_series(1, ${SOUNDS_MAX}::integer) as n`.execute(tx)
  })
  await sql`analyze flows, flow_versions, sounds`.execute(db)
}

async function timed(work: () => Promise<unknown>) {
  const begun = performance.now()
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return { ms: performance.now() - begun, cpuMs: (user + system) / 1_000 }
}

it('does not delay others while one customer reads 100 large flows', async () => {
  const { shop } = await withFlow()
  await fillFlows(shop)
  const read = async (url: string) => {
    const headers = { authorization: `Bearer ${shop.alice.token}` }
    return (await shop.api.inject({ method: 'GET', url, headers })).statusCode
  }
  const lists = ['/api/flows', '/api/sounds', '/api/queues']
  const waits: number[] = []
  let isLoading = true
  const somebodyElse = (async () => {
    while (isLoading)
      waits.push((await timed(() => shop.call('GET /api/auth/me', { token: shop.paula.token }))).ms)
  })()
  const statuses = await Promise.all(lists.flatMap((url) => [read(url), read(url)]))
  isLoading = false
  await somebodyElse
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(Math.max(...waits)).toBeLessThan(3_000)

  // Does not parse the drafts, which takes 100 ms.
  expect((await timed(() => read('/api/flows'))).cpuMs).toBeLessThan(40)
  const allVersions = sql`select from flow_versions where jsonb_array_length(flow -> 'steps') > 1`
  const { ms: allMs } = await timed(() => allVersions.execute(shop.services.db))
  // Reads each flow once, not once for each sound.
  expect((await timed(() => read('/api/sounds'))).ms).toBeLessThan(2 * allMs)
  // Does not read the steps of old versions.
  expect((await timed(() => read('/api/queues'))).ms).toBeLessThan(allMs / 3)
}, 120_000)
