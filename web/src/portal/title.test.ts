import { expect, test } from 'vitest'
import { tabTitleFor, titleFor } from './title.ts'

test.each([
  ['/dashboard', 'Dashboard'],
  ['/dashboard/', 'Dashboard'],
  ['/dashboard/profile', 'Profile'],
  ['/dashboard/trunks', 'Trunks'],
  ['/dashboard/numbers', 'Numbers'],
  ['/dashboard/flows', 'Flows'],
  ['/dashboard/flows/sounds', 'Flows'],
  ['/dashboard/cdr-report', 'CDR Report'],
  ['/dashboard/support', 'Support'],
  ['/dashboard/upgrade', 'Upgrade'],
  ['/dashboard/topup', 'Dashboard'],
  ['/dashboard/statement', 'Statement'],
  ['/dashboard/profiles', 'Dashboard'],
])('%s is titled %s', (path, title) => {
  expect(titleFor(path)).toBe(title)
})

test('the browser tab shows Top Up, although the header shows Dashboard', () => {
  expect(['/dashboard/topup', '/dashboard', '/dashboard/profile'].map(tabTitleFor)).toEqual([
    'Top Up',
    'Dashboard',
    'Profile',
  ])
})
