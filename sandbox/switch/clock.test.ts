import { expect, it } from 'vitest'
import { createManualSwitchClock, createSystemSwitchClock } from './clock.ts'

it('runs due tasks by time, then by scheduling order, including tasks scheduled on the way', () => {
  const clock = createManualSwitchClock(1000)
  const ran: [name: string, at: number][] = []
  const note = (name: string) => ran.push([name, clock.now()])
  for (const [name, at] of [
    ...[['d', 1400] as const, ['b', 1200] as const, ['c', 1200] as const, ['a', 1100] as const],
    ...Array.from({ length: 20 }, (_, index) => [`same ${index}`, 1500] as const),
  ])
    clock.at(at, () => note(name))
  clock.at(1100, () => clock.at(1300, () => note('asked for on the way')))
  clock.at(1300, () => note('taken back'))()
  clock.advance(600)
  expect(clock.now()).toBe(1600)
  expect(ran).toEqual([
    ...[['a', 1100] as const, ['b', 1200] as const, ['c', 1200] as const],
    ...[['asked for on the way', 1300] as const, ['d', 1400] as const],
    ...Array.from({ length: 20 }, (_, index) => [`same ${index}`, 1500] as const),
  ])
})

it('uses system time by default', async () => {
  const clock = createSystemSwitchClock()
  const begunAt = clock.now()
  const ran: number[] = []
  await new Promise<void>((resolve) => {
    clock.at(begunAt + 30, resolve)
    clock.at(begunAt + 10, () => ran.push(clock.now()))
    clock.at(begunAt + 20, () => ran.push(-1))()
  })
  expect(ran).toHaveLength(1)
  expect(ran[0]).toBeGreaterThanOrEqual(begunAt + 10)
  clock.stop()
})
