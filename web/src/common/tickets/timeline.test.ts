import { expect, it } from 'vitest'
import { timelineOf } from './timeline.ts'

const message = (id: number, createdAt: string) => ({
  id,
  createdAt,
  author: 'alice',
  is_staff: false,
  message: 'x',
})
const note = (id: number, createdAt: string) => ({ id, createdAt, author: 'root', note: 'y' })

it('puts notes between the messages by time; at the same time the message comes first', () => {
  const [early, middle, late] = [
    '2026-11-16T10:00:00.000Z',
    '2026-11-16T10:00:01.000Z',
    '2026-11-16T11:00:00.000Z',
  ]
  const messages = [message(1, early), message(2, late)]
  const keys = (items: ReturnType<typeof timelineOf>) => items.map(({ key }) => key)
  expect(keys(timelineOf(messages, [note(1, middle), note(2, late)]))).toEqual([
    'message-1',
    'note-1',
    'message-2',
    'note-2',
  ])
  expect(keys(timelineOf(messages))).toEqual(['message-1', 'message-2'])
})
