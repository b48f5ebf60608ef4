import { describe, expect, test } from 'vitest'
import type { FlowAction } from './index.ts'
import { callOfStep, type Given, stepOfKind, text } from './test/examples.ts'

const queue = stepOfKind('queue', {
  music: text('la la la'),
  ringSeconds: 20,
  maxSeconds: 60,
  maxWaiting: 3,
  devices: 'phones',
})
const call = (...events: Given[]) => callOfStep(queue, ...events)
const music: FlowAction = { type: 'play', sound: text('la la la'), loops: true }
const rings: FlowAction = {
  type: 'ring',
  destination: { kind: 'phones', steps: [{ devices: 'phones', seconds: 20 }] },
}
const at = (position: number, after = 0) => ({ type: 'queue', position, after }) as const
const leg = (result: 'answered' | 'no_answer' | 'busy' | 'failed' | 'hung_up', after = 0) =>
  ({ type: 'leg', result, after }) as const
const timeout = (after: number) => ({ type: 'timeout', after }) as const

describe('a queue', () => {
  test('plays music and takes a place', () => {
    expect(call().actions).toEqual([
      music,
      { type: 'wait', seconds: 60 },
      { type: 'enter_queue', stepId: 'queue', maxWaiting: 3 },
    ])
  })

  test('announces each new position once, then plays the music again', () => {
    const announcement = {
      type: 'play',
      sound: { kind: 'prompt', name: 'queue_position', value: '3' },
    }
    expect(call(at(3)).actions).toEqual([announcement])
    expect(call(at(3), at(3)).actions).toEqual([])
    expect(call(at(3), { type: 'played' }).actions).toEqual([music])
    expect(call(at(3), { type: 'play_failed' }).actions).toEqual([music])
    expect(callOfStep({ ...queue, announcesPosition: false }, at(3)).actions).toEqual([])
  })

  test('rings the phones for the first caller', () => {
    expect(call(at(1)).actions).toEqual([rings])
    expect(call(at(2), at(1, 5)).actions).toEqual([rings])
    expect(call(at(2), at(1), { type: 'played' }).actions).toEqual([music])
  })

  test.each([
    ['no_answer', 1],
    ['busy', 5],
    ['failed', 5],
  ] as const)('rings again after %s', (result, pause) => {
    expect(call(at(1), leg(result, 10)).actions).toEqual([{ type: 'wait', seconds: pause }])
    expect(call(at(1), leg(result, 10), timeout(pause)).actions).toEqual([
      { type: 'wait', seconds: 60 - 10 - pause },
      rings,
    ])
  })

  test('does not ring again shortly before the end', () => {
    expect(call(at(1), leg('failed', 57)).actions).toEqual([])
    expect(call(at(1), leg('failed', 57), timeout(3)).exit).toBe('timeout')
    expect(call(at(1), leg('failed', 54), timeout(7)).exit).toBe('timeout')
  })

  test('leaves by timeout, and cancels the phones that ring', () => {
    expect(call(at(2), timeout(60))).toMatchObject({
      exit: 'timeout',
      actions: [{ type: 'stop_playing' }, { type: 'leave_queue' }, { type: 'hang_up' }],
    })
    expect(call(at(1), timeout(60)).actions).toEqual([
      { type: 'stop_playing' },
      { type: 'cancel_leg' },
      { type: 'leave_queue' },
      { type: 'hang_up' },
    ])
  })

  test('leaves by full and by failed', () => {
    expect(call({ type: 'queue_full' }).exit).toBe('full')
    expect(call(at(2), { type: 'queue_full' }).state.isOver).toBe(false)
    expect(call({ type: 'play_failed' }).exit).toBe('failed')
  })

  test('is left when somebody answers, and ends after the conversation', () => {
    const answered = call(at(1), leg('answered', 5))
    expect(answered.actions).toEqual([
      { type: 'stop_playing' },
      { type: 'stop_waiting' },
      { type: 'leave_queue' },
    ])
    expect(call(at(1), leg('answered'), { type: 'played' }, timeout(60)).state).toEqual(
      call(at(1), leg('answered')).state,
    )
    expect(call(at(1), leg('answered'), leg('hung_up', 9)).ended).toBe('conversation')
  })

  test('is left when the caller hangs up', () => {
    const over: Given = { type: 'hung_up' }
    expect(call(at(2), over).actions).toEqual([{ type: 'stop_waiting' }, { type: 'leave_queue' }])
    expect(call(at(1), over).actions).toEqual([
      { type: 'stop_waiting' },
      { type: 'cancel_leg' },
      { type: 'leave_queue' },
    ])
    expect(call(at(1), leg('answered'), over).actions).toEqual([{ type: 'cancel_leg' }])
  })
})
