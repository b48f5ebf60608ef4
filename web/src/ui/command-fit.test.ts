import { Phone } from 'lucide-react'
import { expect, test } from 'vitest'
import type { CommandItem } from './command-fit.ts'
import { fittingGroups } from './command-fit.ts'

const item = (label: string, more: Partial<CommandItem> = {}): CommandItem => ({
  label,
  icon: Phone,
  onSelect: () => {},
  ...more,
})

const groups = [
  { heading: 'Screens', items: [item('Home'), item('CDR Report'), item('Top Up', { keywords: ['money'] })] },
  { heading: 'Actions', items: [item('Set Caller ID'), item('Connect a phone', { keywords: ['freepbx'] })] },
  { heading: 'Calls', items: [item('Look for it', { fitsAll: true })] },
  { heading: 'Nothing yet', items: [] },
]

const found = (search: string) =>
  fittingGroups(groups, search).map(({ items }) => items.map(({ label }) => label))

test('returns everything in order without a search', () => {
  expect(found('  ')).toEqual([
    ['Home', 'CDR Report', 'Top Up'],
    ['Set Caller ID', 'Connect a phone'],
    ['Look for it'],
  ])
})

test.each([
  ['cdr', 'CDR Report'],
  ['REPORT', 'CDR Report'],
  ['cdrrep', 'CDR Report'],
  ['up top', 'Top Up'],
  ['mon', 'Top Up'],
  ['pbx', 'Connect a phone'],
  ['phone pbx', 'Connect a phone'],
  ['442079', 'Look for it'],
])('what one means by “%s” comes first: %s', (search, label) => {
  expect(found(search)[0]?.[0]).toBe(label)
})

test('ranks word starts before word middles, labels before keywords, and catch-all items last', () => {
  expect(found('re')).toEqual([['CDR Report'], ['Connect a phone'], ['Look for it']])
  expect(found('on')).toEqual([['Connect a phone'], ['Top Up'], ['Look for it']])
  expect(found('i')).toEqual([['Set Caller ID'], ['Look for it']])
})

test('ranks catch-all items last even if their label repeats the search', () => {
  const echo = { heading: 'Calls', items: [item('Look for “money”', { fitsAll: true })] }
  const first = fittingGroups([echo, ...groups], 'money')[0]
  expect(first?.items[0]?.label).toBe('Top Up')
})

test('requires every word to match', () => {
  expect(found('top money')).toEqual([['Top Up'], ['Look for it']])
  expect(found('top pbx')).toEqual([['Look for it']])
})

test('keeps results of the server in their order, before items that match everything', () => {
  const results = {
    heading: 'Users',
    items: [item('zoe', { isFound: true }), item('adam', { isFound: true })],
  }
  const shown = fittingGroups([...groups, results], 'cdr').map(({ items }) => items.map(({ label }) => label))
  expect(shown).toEqual([['CDR Report'], ['zoe', 'adam'], ['Look for it']])
})
