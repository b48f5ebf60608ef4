import { expect, it } from 'vitest'
import { createMediaIndex } from './media.ts'
import type { MediaServer } from './media-store.ts'

const server = (id: string, seenAt: number): MediaServer => ({
  id,
  host: '127.0.0.1',
  port: 5070,
  password: 'secret',
  startedAt: new Date(0),
  seenAt: new Date(seenAt),
  isLeaving: false,
  copiesAudio: false,
  liveCalls: 0,
})

it('takes a media process for gone after three seconds without a sign of life, also after a gap between the reads', () => {
  const index = createMediaIndex()
  const alive = () => index.aliveMediaServers().map(({ id }) => id)
  index.replaceMediaServers([server('one', 0), server('two', 0)], 10_000)
  expect(alive()).toEqual(['one', 'two'])
  index.replaceMediaServers([server('one', 0), server('two', 2_000)], 12_000)
  index.replaceMediaServers([server('one', 0), server('two', 3_000)], 13_000)
  expect(alive()).toEqual(['two'])
  // The database was away: two could not write a sign of life, and one has not come back.
  index.replaceMediaServers([server('one', 0), server('two', 3_000)], 60_000)
  expect(alive()).toEqual(['two'])
  index.replaceMediaServers([server('one', 50_000), server('two', 3_000)], 61_000)
  expect(alive()).toEqual(['one', 'two'])
})
