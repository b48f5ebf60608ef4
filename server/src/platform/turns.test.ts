import { expect, it } from 'vitest'
import { createTurns } from './turns.ts'

it('limits concurrent runs per key, queues some in order and refuses the rest', async () => {
  const inTurn = createTurns({ atOnce: 2, waiting: 1 })
  const begun: string[] = []
  const ends: Array<() => void> = []
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.push(() => resolve(name)))
  }
  const first = inTurn(1, work('first'))
  const second = inTurn(1, work('second'))
  const third = inTurn(1, work('third'))
  await expect(inTurn(1, work('fourth'))).rejects.toMatchObject({ code: 'too_many_requests' })
  const other = inTurn(2, work('of another key'))
  expect(begun).toEqual(['first', 'second', 'of another key'])
  ends[0]?.()
  expect(await first).toBe('first')
  await expect.poll(() => begun).toContain('third')
  for (const end of ends) end()
  expect(await Promise.all([second, third, other])).toEqual(['second', 'third', 'of another key'])
})

it('starts the next run after a failure', async () => {
  const inTurn = createTurns({ atOnce: 1, waiting: 1 })
  const failing = inTurn(1, () => Promise.reject(new Error('no')))
  const next = inTurn(1, async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

it('limits the runs of all keys together and lets waiting keys take turns', async () => {
  const inTurn = createTurns({ atOnce: 2, total: 2, waiting: 2 })
  const begun: string[] = []
  const ends: Array<() => void> = []
  const run = (key: number, name: string) =>
    inTurn(key, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const runs = [run(1, 'a'), run(1, 'b'), run(1, 'c'), run(1, 'd'), run(2, 'e'), run(2, 'f')]
  await expect(run(2, 'g')).rejects.toMatchObject({ code: 'too_many_requests' })
  for (let ended = 0; ended < runs.length; ended++) {
    await expect.poll(() => ends[ended]).toBeDefined()
    ends[ended]?.()
  }
  await Promise.all(runs)
  expect(begun).toEqual(['a', 'b', 'c', 'e', 'd', 'f'])
})
