import type { PriceChange } from '@trunkline/contract/bulk-pricing'
import { describe, expect, it } from 'vitest'
import { directionWords, effectWords, ruleWords, scopeWords, undoneWords } from './words.ts'

const rule = {
  percent: 12.5,
  floor: 0.002,
  lowest: 0.01,
  step: 0.001,
  basis: 'dearest' as const,
  plans: [],
  countries: [],
  with_prefixes: false,
  with_free: false,
}

describe('the words of a price change', () => {
  it('describe the rule, without limits of zero', () => {
    expect(ruleWords(rule)).toBe(
      'Cost of the dearest trunk plus 12.5%, a margin of at least $0.002, at least $0.01 per minute, rounded up to $0.001',
    )
    expect(ruleWords({ ...rule, basis: 'cheapest', floor: 0, lowest: 0 })).toBe(
      'Cost of the cheapest trunk plus 12.5%, rounded up to $0.001',
    )
  })

  it('describe the scope, and shorten long lists', () => {
    expect(scopeWords(rule)).toBe('All plans in all countries')
    expect(scopeWords({ ...rule, plans: ['Gold', 'Silver'], countries: ['DE'], with_prefixes: true })).toBe(
      'Gold and Silver in Germany, with prefix rates',
    )
    expect(scopeWords({ ...rule, countries: ['DE', 'FR', 'IT', 'ES'], with_free: true })).toBe(
      'All plans in Germany, France and 2 more countries, with free prices',
    )
  })

  it('say how many prices rise and fall', () => {
    const say = (rises: number, cuts: number) => directionWords({ counts: { rises, cuts } } as PriceChange)
    expect(say(1, 0)).toBe('1 price rises.')
    expect(say(0, 2)).toBe('2 prices fall.')
    expect(say(3, 1)).toBe('3 prices rise and 1 falls.')
  })

  it('say what the prices would have earned', () => {
    expect(effectWords(-12.5)).toContain('earned $12.50 less.')
    expect(effectWords(0.25)).toContain('earned $0.25 more.')
    expect(effectWords(0)).toContain('no difference')
  })

  it('say what an undo restored and left', () => {
    expect(undoneWords({ restored: 11, left: 1 })).toBe('11 prices restored, 1 left as it is')
    expect(undoneWords({ restored: 1, left: 0 })).toBe('1 price restored')
  })
})
