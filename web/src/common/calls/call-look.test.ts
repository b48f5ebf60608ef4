import { expect, test } from 'vitest'
import { lookOf, shortId } from './call-look.ts'

test('shortens a call id and removes its switch and host', () => {
  expect(shortId('1731648000.42')).toBe('1731…0.42')
  expect(shortId('a84b4c76e66710@pbx.example')).toBe('a84b…6710')
  expect(shortId('kamailio-5be23919/a84b4c76e66710')).toBe('a84b…6710')
  expect(shortId('short-id')).toBe('short-id')
})

test('the lamp pulses while a call rings and is steady after the answer', () => {
  const lookAs = (state: 'calling' | 'ringing' | 'answered') => lookOf({ state, hangup_requested: false })
  expect(lookAs('calling')).toMatchObject({ word: 'Calling', lit: 'pending' })
  expect(lookAs('ringing')).toEqual({ word: 'Ringing', lit: 'signal', pulse: true })
  expect(lookAs('answered')).toEqual({ word: 'Answered', lit: 'signal', pulse: false })
})

test('shows a requested hangup instead of the call state', () => {
  expect(lookOf({ state: 'answered', hangup_requested: true }).word).toBe('Ending')
})
