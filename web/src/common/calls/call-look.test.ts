import { expect, test } from 'vitest'
import { lookOf, runningDollars, shortId } from './call-look.ts'

test('shortens a call id and removes its host', () => {
  expect(shortId('1731648000.42')).toBe('1731…0.42')
  expect(shortId('a84b4c76e66710@pbx.example')).toBe('a84b…6710')
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

test('formats a running cost with four decimals', () => {
  expect([0, 0.0245, 1.5].map(runningDollars)).toEqual(['$0.0000', '$0.0245', '$1.5000'])
})
