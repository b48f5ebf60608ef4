import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventReader } from './server-events.ts'

const STREAM = [
  ': a sign of life\n\n',
  'id: e.1\nevent: ringing\ndata: {"a":1}\n\n',
  'event: cost\r\ndata: one\r\ndata: two\r\n\r\n',
  'data:no space\rid\r\r',
  'event: nothing to say\n\n',
  'id: e.2\nretry: 5\nunknown: x\nevent: ended\ndata: {"b":"é☎"}\n\n',
  'event: cut off\ndata: never',
].join('')

const EVENTS = [
  { event: 'ringing', data: '{"a":1}', id: 'e.1' },
  { event: 'cost', data: 'one\ntwo', id: undefined },
  { event: 'message', data: 'no space', id: '' },
  { event: 'ended', data: '{"b":"é☎"}', id: 'e.2' },
]

test('parses events from chunks of any size', () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(pieces, (sizes) => {
      const read = createEventReader()
      const events = []
      let at = 0
      for (let turn = 0; at < STREAM.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1
        events.push(...read(STREAM.slice(at, at + size)))
        at += size
      }
      expect(events).toEqual(EVENTS)
    }),
  )
})
