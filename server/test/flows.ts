import { type Flow, type FlowLogEntry, type FlowState, step } from '@trunkline/domain/flows'
import { createNumberShop, type NumberShop } from './numbers.ts'
import type { SignedIn } from './portal.ts'

/** The place and the name of a step. */
export const at = { name: '', x: 0, y: 0 }
export const goodbye = (text: string): Flow => ({
  start: 'say',
  steps: [
    {
      ...at,
      id: 'say',
      kind: 'play',
      sound: { kind: 'text', text, language: 'en' },
      exits: { next: 'end', failed: 'end' },
    },
    { ...at, id: 'end', kind: 'hangup', exits: {} },
  ],
})

/** Requests of one customer. */
export const flowsOf = (shop: NumberShop, { token }: SignedIn) => ({
  list: async () => (await shop.call('GET /api/flows', { token })).answer.flows,
  create: (name: string, flow: object = goodbye('Goodbye')) =>
    shop.call('POST /api/flows', { token, body: { name, flow } }),
  get: (id: number) => shop.call('GET /api/flows/:id', { token, params: { id } }),
  save: (id: number, body: object) => shop.call('PATCH /api/flows/:id', { token, params: { id }, body }),
  remove: (id: number) => shop.call('DELETE /api/flows/:id', { token, params: { id } }),
  publish: (id: number, body: object) =>
    shop.call('POST /api/flows/:id/publish', { token, params: { id }, body }),
  versions: (id: number) => shop.call('GET /api/flows/:id/versions', { token, params: { id } }),
  version: (id: number, number: number) =>
    shop.call('GET /api/flows/:id/versions/:number', { token, params: { id, number } }),
  queues: async () => (await shop.call('GET /api/queues', { token })).answer.queues,
  check: (numbers: string) => shop.call('GET /api/flow-checks', { token, query: { numbers } }),
  waiting: (id: number) => shop.call('GET /api/flows/:id/waiting', { token, params: { id } }),
})

export async function withFlow() {
  const shop = await createNumberShop()
  const mine = flowsOf(shop, shop.alice)
  const { flow } = (await mine.create('Reception')).answer
  return { shop, mine, id: flow.id, publish: (version = 1) => mine.publish(flow.id, { version }) }
}

/** Gives the events of a stored log to the interpreter and returns its log. */
export function interpretAgain(flow: Flow, stored: readonly FlowLogEntry[]): FlowLogEntry[] {
  let state: FlowState | null = null
  const log: FlowLogEntry[] = []
  for (const entry of stored) {
    if (entry.type !== 'event') continue
    const stepped = step(flow, state, entry.event)
    state = stepped.state
    log.push(...stepped.log)
  }
  return log
}
