import { expect, it, onTestFinished } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { asServerOwner, createTestDatabase } from '../../../../test/database.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { openDatabase } from '../../../platform/database.ts'
import { insertCdrs } from './cdr-store.ts'

it('reads reports and charts from the replica, and everything else from the primary', async () => {
  const replica = await createTestDatabase()
  onTestFinished(replica.drop)
  const portal = await createPortal({ DATABASE_REPLICA_URL: replica.url })
  const { token, id: userId } = await signUp(portal, 'alice')
  const startedAt = portal.clock.now()
  const [here, there] = [aCdr({ userId, startedAt }), aCdr({ userId, startedAt })]
  await insertCdrs(portal.services.db, systemOwner, [here])
  const copy = openDatabase({ url: replica.url, poolSize: 1, onError: () => {} })
  await insertCdrs(copy, systemOwner, [there, aCdr({ userId, startedAt })])
  await copy.destroy()

  const list = () => portal.call('GET /api/cdr', { token })
  expect((await list()).answer.records.map(({ uniqueid }) => uniqueid)).toContain(there.callId)
  expect((await portal.call('GET /api/cdr/totals', { token })).answer.totals.calls).toBe(2)
  const { charts } = (await portal.call('GET /api/dashboard/charts', { token })).answer
  expect(charts.monthly_usage.at(-1)?.calls).toBe(2)
  const file = await portal.api.inject({ url: '/api/cdr.csv', headers: { authorization: `Bearer ${token}` } })
  expect(file.body.trim().split('\n')).toHaveLength(3)
  expect((await portal.call('GET /api/dashboard/stats', { token })).answer.stats.totalCalls).toBe(1)
  expect((await portal.call('GET /api/calls/records', { token })).answer.records).toHaveLength(1)

  await asServerOwner(`alter database ${replica.name} allow_connections false`)
  await asServerOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${replica.name}'`,
  )
  expect((await list()).status).toBe(503)
  expect((await portal.call('GET /api/dashboard/stats', { token })).status).toBe(200)
})
