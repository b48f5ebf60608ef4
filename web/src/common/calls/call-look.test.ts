import { expect, test } from 'vitest'
import { lookOf, runningDollars, shortId } from './call-look.ts'

test('a call id is shortened to what tells it from others', () => {
  expect(shortId('1731648000.42')).toBe('1731…0.42')
  expect(shortId('a84b4c76e66710@pbx.example')).toBe('a84b…6710')
  expect(shortId('short-id')).toBe('short-id')
})

test('the lamp flashes while it rings and burns while they talk', () => {
  const lookAs = (state: 'calling' | 'ringing' | 'answered') => lookOf({ state, hangup_requested: false })
  expect(lookAs('calling')).toMatchObject({ word: 'Calling', lit: 'pending' })
  expect(lookAs('ringing')).toEqual({ word: 'Ringing', lit: 'signal', pulse: true })
  expect(lookAs('answered')).toEqual({ word: 'Answered', lit: 'signal', pulse: false })
})

test('a call that is being ended says so, whatever it did before', () => {
  expect(lookOf({ state: 'answered', hangup_requested: true }).word).toBe('Ending')
})

test('a running cost keeps its width', () => {
  expect([0, 0.0245, 1.5].map(runningDollars)).toEqual(['$0.0000', '$0.0245', '$1.5000'])
})
