import { afterEach, describe, expect, it, vi } from 'vitest'
import { createBatcher } from './batcher.ts'

type Batch = { commands: string[]; finish: () => void; fail: (error: Error) => void }

/** A batcher whose batches end when the test calls `finish` or `fail`. */
function byHand(lanes: number, maxSize = 100, gapMs = 0) {
  const batches: Batch[] = []
  const run = (commands: string[]) =>
    new Promise<string[]>((resolve, reject) => {
      batches.push({ commands, finish: () => resolve(commands.map((name) => `${name}!`)), fail: reject })
    })
  const batcher = createBatcher({ run, lanes, maxSize, gapMs, keyOf: (command: string) => command })
  return { batches, batcher }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('the batcher', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('batches the commands of one event-loop turn, and queues while all lanes are busy', async () => {
    const { batches, batcher } = byHand(1)
    const answers = ['a', 'b'].map(batcher)
    await turn()
    answers.push(batcher('c'), batcher('d'))
    await turn()
    expect(batches.map(({ commands }) => commands)).toEqual([['a', 'b']])
    batches[0]?.finish()
    await turn()
    expect(batches.map(({ commands }) => commands)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    batches[1]?.finish()
    expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!', 'd!'])
  })

  it('runs the first command immediately, and later ones after a gap that grows with the batch before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { batches, batcher } = byHand(2, 100, 12)
    const started = () => batches.map(({ commands }) => commands.join(''))
    batcher('a')
    await turn()
    for (const name of ['b', 'c', 'd']) batcher(name)
    await turn()
    vi.advanceTimersByTime(4)
    expect(started()).toEqual(['a'])
    vi.advanceTimersByTime(1)
    expect(started()).toEqual(['a', 'bcd'])
    batches[0]?.finish()
    await turn()
    batcher('e')
    await turn()
    vi.advanceTimersByTime(11)
    expect(started()).toEqual(['a', 'bcd'])
    vi.advanceTimersByTime(1)
    expect(started()).toEqual(['a', 'bcd', 'e'])
    vi.advanceTimersByTime(5)
    batches[1]?.finish()
    await turn()
    batcher('f')
    await turn()
    expect(started()).toEqual(['a', 'bcd', 'e', 'f'])
  })

  it('runs a full batch immediately, regardless of the gap', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { batches, batcher } = byHand(2, 2, 60_000)
    batcher('a')
    await turn()
    for (const name of ['b', 'c', 'd']) batcher(name)
    await turn()
    await turn()
    expect(batches.map(({ commands }) => commands)).toEqual([['a'], ['b', 'c']])
    batches[0]?.finish()
    await turn()
    expect(batches).toHaveLength(2)
    vi.advanceTimersByTime(60_000)
    expect(batches[2]?.commands).toEqual(['d'])
  })

  it('uses every lane and limits the batch size', async () => {
    const { batches, batcher } = byHand(2, 2)
    const answers = ['a', 'b', 'c', 'd', 'e'].map(batcher)
    await turn()
    expect(batches.map(({ commands }) => commands)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    for (const index of [1, 0, 2]) {
      batches[index]?.finish()
      await turn()
    }
    expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!', 'd!', 'e!'])
  })

  it('never puts two commands with the same key into a batch', async () => {
    const { batches, batcher } = byHand(1)
    const answers = ['a', 'a', 'b', 'a'].map(batcher)
    for (const index of [0, 1, 2]) {
      await turn()
      batches[index]?.finish()
      await turn()
    }
    expect(batches.map(({ commands }) => commands)).toEqual([['a', 'b'], ['a'], ['a']])
    expect(await Promise.all(answers)).toEqual(['a!', 'a!', 'b!', 'a!'])
  })

  it('retries the commands of a failed batch one by one', async () => {
    const { batches, batcher } = byHand(1)
    const ends = Promise.allSettled(['good', 'bad'].map(batcher))
    await turn()
    batches[0]?.fail(new Error('together'))
    await turn()
    batches[1]?.finish()
    await turn()
    batches[2]?.fail(new Error('alone'))
    expect(await ends).toEqual([
      { status: 'fulfilled', value: 'good!' },
      { status: 'rejected', reason: new Error('alone') },
    ])
  })
})
