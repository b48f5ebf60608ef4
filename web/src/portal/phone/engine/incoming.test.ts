import { describe, expect, it } from 'vitest'
import { type CallEvent, type CallList, decide, shownOf } from './call-list.ts'
import { isAnsweredElsewhere, readCaller, wordsOfCaller } from './caller.ts'

const after = (...events: CallEvent[]) =>
  events.reduce(
    (state, event) => {
      const { list, actions } = decide(state.list, event)
      return { list, actions: [...state.actions, ...actions.map(({ type, id }) => `${type} ${id}`)] }
    },
    { list: [] as CallList, actions: [] as string[] },
  )

const rings = (id: string): CallEvent => ({ type: 'rings', id })
const answers = (id: string): CallEvent => ({ type: 'answers', id })
const dials = (id: string): CallEvent => ({ type: 'dials', id })

describe('the calls of a phone', () => {
  it('holds the first call when the second one is answered, and swaps them', () => {
    const two = after(rings('a'), answers('a'), rings('b'), answers('b'))
    expect(two.list).toEqual([
      { id: 'a', place: 'held' },
      { id: 'b', place: 'current' },
    ])
    expect(two.actions).toEqual(['hold a'])
    expect(shownOf(two.list)).toBe('b')
    const swapped = decide(two.list, { type: 'resumes', id: 'a' })
    expect(swapped.actions).toEqual([
      { type: 'hold', id: 'b' },
      { type: 'resume', id: 'a' },
    ])
    expect(shownOf(swapped.list)).toBe('a')
    const left = decide(swapped.list, { type: 'ends', id: 'a' })
    expect(left.list).toEqual([{ id: 'b', place: 'held' }])
    expect(left.actions).toEqual([])
    expect(shownOf(left.list)).toBe('b')
  })

  it('refuses a third call, the same call twice, and dialing during a call', () => {
    expect(after(rings('a'), rings('b'), rings('c')).actions).toEqual(['refuse c'])
    expect(after(rings('a'), rings('a')).actions).toEqual(['refuse a'])
    expect(after(dials('a'), rings('b'), dials('c')).actions).toEqual(['refuse c'])
    expect(after(rings('a'), dials('b')).actions).toEqual(['refuse b'])
    expect(after(rings('a'), { type: 'ends', id: 'a' }, dials('b')).actions).toEqual([])
  })

  it('does not show a call that only rings, and ignores events that do not apply', () => {
    expect(shownOf(after(rings('a')).list)).toBeNull()
    const held = after(dials('a'), { type: 'holds', id: 'a' })
    expect(held.actions).toEqual(['hold a'])
    for (const type of ['holds', 'answers'] as const)
      expect(decide(held.list, { type, id: 'a' })).toEqual({ list: held.list, actions: [] })
    expect(decide(held.list, { type: 'resumes', id: 'unknown' }).actions).toEqual([])
  })

  it('never has more than two calls or two current ones, whatever happens', () => {
    const types = ['rings', 'dials', 'answers', 'holds', 'resumes', 'ends'] as const
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    let list: CallList = []
    for (let step = 0; step < 20_000; step++) {
      list = decide(list, { type: types[random(6)] ?? 'rings', id: 'abcd'[random(4)] ?? 'a' }).list
      expect(list.length).toBeLessThanOrEqual(2)
      expect(list.filter(({ place }) => place === 'current').length).toBeLessThanOrEqual(1)
      expect(new Set(list.map(({ id }) => id)).size).toBe(list.length)
    }
  })
})

describe('the caller', () => {
  const given = { host: 'example.com', name: undefined, privacy: undefined, to: undefined }

  it('is a number with a plus sign and a name', () => {
    const caller = readCaller({ ...given, user: '442079460958', name: 'Paula', to: '12025550100' })
    expect(caller).toEqual({ number: '+442079460958', name: 'Paula', called: '+12025550100' })
    expect(wordsOfCaller(caller)).toBe('Paula, +44 20 7946 0958')
    expect(readCaller({ ...given, user: '%2B442079460958' }).number).toBe('+442079460958')
    expect(readCaller({ ...given, user: '0123', to: 'browser~abc' })).toEqual({
      number: '0123',
      name: null,
      called: null,
    })
  })

  it('is withheld if the call is private', () => {
    for (const hidden of [
      { ...given, user: 'anonymous', name: 'Anonymous' },
      { ...given, user: '442079460958', name: 'Paula', privacy: 'id' },
      { ...given, user: 'x', host: 'anonymous.invalid' },
      { ...given, user: undefined },
    ])
      expect(wordsOfCaller(readCaller(hidden))).toBe('Withheld number')
    expect(readCaller({ ...given, user: '442079460958', privacy: 'none' }).number).toBe('+442079460958')
  })

  it('has no name that repeats the number or turns the text around', () => {
    expect(readCaller({ ...given, user: '442079460958', name: '+44 20 7946 0958' }).name).toBeNull()
    expect(readCaller({ ...given, user: '442079460958', name: 'a\u202eb\u0007c' }).name).toBe('abc')
    expect(readCaller({ ...given, user: '442079460958', name: 'x'.repeat(500) }).name).toHaveLength(60)
  })

  it('was answered elsewhere if the CANCEL says so', () => {
    expect(isAnsweredElsewhere('SIP;cause=200;text="Call completed elsewhere"')).toBe(true)
    expect(isAnsweredElsewhere('SIP ;cause = 200')).toBe(true)
    expect(isAnsweredElsewhere('SIP;cause=2000')).toBe(false)
    expect(isAnsweredElsewhere('Q.850;cause=16')).toBe(false)
    expect(isAnsweredElsewhere(undefined)).toBe(false)
  })
})
