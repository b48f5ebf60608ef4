import { afterEach, expect, test, vi } from 'vitest'
import { turnToStart } from './turn-to-start.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('starts the first request at once and each further one in a task of its own', async () => {
  vi.useFakeTimers()
  const started: string[] = []
  const start = async (name: string) => {
    const turn = turnToStart()
    if (turn) await turn
    started.push(name)
  }
  for (const name of ['first', 'second', 'third']) void start(name)
  expect(started).toEqual(['first'])
  await vi.advanceTimersToNextTimerAsync()
  expect(started).toEqual(['first', 'second'])
  await vi.advanceTimersToNextTimerAsync()
  expect(started).toEqual(['first', 'second', 'third'])
  await vi.runAllTimersAsync()
  expect(turnToStart()).toBeUndefined()
})

test('starts all requests at once in a hidden tab', () => {
  vi.stubGlobal('document', { hidden: true })
  expect([turnToStart(), turnToStart()]).toEqual([undefined, undefined])
})
