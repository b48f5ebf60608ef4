import { readdir } from 'node:fs/promises'
import { system } from '@trunkline/domain/access'
import { micros } from '@trunkline/domain/money'
import { insertCdrs, type NewCdr } from '@trunkline/server/features/calls/cdr/cdr-store'
import { createMonth } from '@trunkline/server/features/calls/cdr/months-store'
import { OUTGOING } from '@trunkline/server/features/calls/live-calls/call'
import { openDatabase } from '@trunkline/server/platform/database'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from '../../server/test/database.ts'
import { dataFolder, trunkline } from './portal-process.ts'
import { outcome, ownDatabase, settings } from './production-settings.ts'

const owner = system('test')
const PATIENCE = { timeout: 60_000 }

it('loses and double-counts no call when the archive command is killed with -9', async () => {
  const url = await ownDatabase()
  const db = openDatabase({ url, poolSize: 1, onError: () => {} })
  onTestFinished(() => db.destroy())
  const startedAt = new Date('2025-01-10T10:00:00Z')
  await createMonth(db, startedAt)
  await insertCdrs(
    db,
    owner,
    Array.from({ length: 500 }, (_, index) => record(`call-${index}`, startedAt)),
  )
  const env = settings(url)
  const folder = await dataFolder()
  const archive = ['archive', '--to', folder, '--before', '2025-02']

  // The open transaction blocks the removal of the month, after its file has been written.
  const reader = new pg.Client({ connectionString: url })
  await reader.connect()
  await reader.query('begin; select count(*) from cdrs')
  const killed = trunkline(archive, { env })
  await expect.poll(() => readdir(folder), PATIENCE).toEqual(['calls-2025-01.csv.gz'])
  killed.child.kill('SIGKILL')
  expect(await killed.ended).toBe('SIGKILL')
  await reader.end()
  expect(await ask(url, 'select count(*)::int as calls from cdrs')).toEqual([{ calls: 500 }])
  expect(await outcome(['check-books'], env)).toMatchObject({ code: 0 })

  const done = await outcome(archive, env)
  expect(done).toEqual({ code: 0, said: expect.stringContaining('calls-2025-01.2.csv.gz: 500 rows') })
  expect(await ask(url, 'select count(*)::int as calls from cdrs')).toEqual([{ calls: 0 }])
  expect(await ask(url, 'select sum(calls)::int as calls from platform_hours')).toEqual([{ calls: 500 }])
  expect(await outcome(['check-books'], env)).toMatchObject({ code: 0 })
  expect(await outcome(['archive', '--to', folder, '--verify'], env)).toEqual({
    code: 0,
    said: '1 archive file checked, 0 damaged or missing.',
  })
})

it.each([
  [['archive'], 'Usage: ./trunkline archive --to FOLDER'],
  [['archive', '--to', 'x', '--before', 'yesterday'], 'Usage: ./trunkline archive --to FOLDER'],
  [['archive', '--to', 'x', '--before', '2999-01'], 'The last 2 months stay in the database. Use --before'],
])('explains what is wrong with ./trunkline %j', async (args, message) => {
  expect(await outcome(args)).toEqual({ code: 1, said: expect.stringContaining(message) })
})

const record = (callId: string, startedAt: Date): NewCdr => ({
  ...OUTGOING,
  callId,
  switchId: 'sw1',
  isDemo: false,
  userId: null,
  status: 'refused',
  reason: 'unknown_caller',
  sipCode: 403,
  sipAccount: 'nobody',
  sourceAddress: '192.0.2.1',
  device: '',
  callerId: '',
  dialed: '1',
  destination: '',
  country: null,
  lineType: null,
  routeId: null,
  routeName: null,
  planName: null,
  ratePrefix: null,
  rate: null,
  trunkId: null,
  trunkName: null,
  attempts: [],
  startedAt,
  ringingAt: null,
  answeredAt: null,
  endedAt: startedAt,
  seconds: 0,
  billedSeconds: 0,
  costMicros: micros(0n),
  buyMicros: micros(0n),
  hungUpBy: null,
})
