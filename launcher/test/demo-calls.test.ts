import { expect, it } from 'vitest'
import { dataFolder, type PortalProcess, signIn, startPortal, trunkline } from './portal-process.ts'

it('generates call history once for a new demo, then live calls, and the ledger balances', async () => {
  const data = await dataFolder()
  const env = { SANDBOX_TRAFFIC: 'on' }
  const first = await startPortal(data, { env })
  const read = await asAdmin(first)
  expect(await totalCalls(read), first.output()).toBeGreaterThan(8_000)
  while ((await read<{ liveCalls: number }>('/api/admin/live-calls')).liveCalls === 0)
    await new Promise((resolve) => setTimeout(resolve, 200))
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)

  const second = await startPortal(data, { env })
  expect(await totalCalls(await asAdmin(second))).toBeLessThan(10_000)
  const books = trunkline(['check-books', '--data', data])
  expect(await books.ended, books.output()).toBe(0)
}, 300_000)

type Read = <Answer>(path: string) => Promise<Answer>

async function asAdmin({ url }: PortalProcess): Promise<Read> {
  const { answer } = await signIn(url, 'admin', 'trunkline-admin')
  const headers = { authorization: `Bearer ${answer.token}` }
  return async <Answer>(path: string) => (await (await fetch(`${url}${path}`, { headers })).json()) as Answer
}

const totalCalls = async (read: Read): Promise<number> =>
  (await read<{ stats: { totalCalls: number } }>('/api/admin/dashboard/stats')).stats.totalCalls
