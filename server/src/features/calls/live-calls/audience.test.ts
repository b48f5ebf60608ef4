import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { createAudience } from './audience.ts'

const soon = () => new Promise((resolve) => setImmediate(resolve))

function read(viewer: Readable): () => string {
  let text = ''
  viewer.on('data', (chunk) => {
    text += chunk
  })
  return () => text
}

it('numbers events, and a viewer resumes after the last one seen', async () => {
  const audience = createAudience({ epoch: 'e', keep: 10 })
  const first = read(audience.open(undefined, () => ['nothing']))
  audience.publish('one', { a: 1 })
  audience.publish('two', { b: '\n\nid: forged' })
  audience.mention('passing', {})
  await soon()
  expect(first()).toBe(
    'id: e.0\nevent: snapshot\ndata: ["nothing"]\n\n' +
      'id: e.1\nevent: one\ndata: {"a":1}\n\n' +
      'id: e.2\nevent: two\ndata: {"b":"\\n\\nid: forged"}\n\n' +
      'event: passing\ndata: {}\n\n',
  )
  const resumed = read(audience.open('e.1', () => ['not needed']))
  await soon()
  expect(resumed()).toBe(':\n\nid: e.2\nevent: two\ndata: {"b":"\\n\\nid: forged"}\n\n')
})

it('sends a snapshot for a missing, unknown or outdated event ID', async () => {
  const audience = createAudience({ epoch: 'e', keep: 4 })
  for (let number = 1; number <= 5; number++) audience.publish('x', number)
  const isWhole = async (after: string | undefined) => {
    const text = read(audience.open(after, () => 'all'))
    await soon()
    return text().startsWith('id: e.5\nevent: snapshot\ndata: "all"\n\n')
  }
  for (const after of [undefined, '', 'e.0', 'e.1', 'e.2', 'e.6', 'f.5', 'e.', 'e.x', 'e.-1', 'x e.5'])
    expect([after, await isWhole(after)]).toEqual([after, true])
  for (const after of ['e.3', 'e.4', 'e.5']) expect([after, await isWhole(after)]).toEqual([after, false])
})

it('sends no duplicates to a viewer who joins during an event-loop turn', async () => {
  const audience = createAudience({ epoch: 'e', keep: 4 })
  const early = read(audience.open(undefined, () => 0))
  audience.publish('x', 1)
  const late = read(audience.open(undefined, () => 1))
  await soon()
  expect(early()).toContain('event: x')
  expect(late()).toBe('id: e.1\nevent: snapshot\ndata: 1\n\n')
})

it('disconnects a viewer who does not read, to limit memory', async () => {
  const audience = createAudience({ epoch: 'e', keep: 4 })
  const idle = audience.open(undefined, () => 0)
  const other = read(audience.open(undefined, () => 0))
  const closed = once(idle, 'close')
  for (let sent = 0; audience.size() === 2 && sent < 100; sent++) {
    audience.publish('x', 'y'.repeat(100_000))
    await soon()
  }
  await closed
  expect(idle.readableLength).toBeLessThan(3 * 1024 * 1024)
  audience.publish('last', 1)
  await soon()
  expect(other()).toContain('event: last')
})
