import { expect, test } from 'vitest'
import script from '../start.js?raw'
import { type Preferences, themeFor } from './theme.ts'

const none: Preferences = { theme: null, portalTheme: null, prefersDark: false }

test('defaults: customer area dark, panel light, public pages follow the system', () => {
  expect(themeFor('/dashboard', none)).toBe('dark')
  expect(themeFor('/admin-panal', { ...none, prefersDark: true })).toBe('light')
  expect(themeFor('/', none)).toBe('light')
  expect(themeFor('/login', { ...none, prefersDark: true })).toBe('dark')
})

test('keeps the choices of panel and customer area apart', () => {
  expect(themeFor('/dashboard/trunks', { ...none, theme: 'light' })).toBe('dark')
  expect(themeFor('/admin-panal', { ...none, portalTheme: 'dark' })).toBe('light')
  expect(themeFor('/dashboard', { ...none, portalTheme: 'light' })).toBe('light')
  expect(themeFor('/', { ...none, theme: 'dark' })).toBe('dark')
})

test('the script before the first paint applies the same rule', () => {
  const choices = [null, 'light', 'dark', 'purple']
  for (const path of ['/', '/login', '/dashboard', '/dashboard/trunks', '/dashboards', '/admin-panal', '/x'])
    for (const theme of choices)
      for (const portalTheme of choices)
        for (const prefersDark of [true, false]) {
          const preferences = { theme, portalTheme, prefersDark }
          expect(themeByScript(path, preferences)).toBe(themeFor(path, preferences))
        }
})

function themeByScript(path: string, { theme, portalTheme, prefersDark }: Preferences): string | undefined {
  const html: { dataset: { theme?: string } } = { dataset: {} }
  const stored: Record<string, string | null> = { theme, 'portal-theme': portalTheme }
  const run = new Function('location', 'localStorage', 'matchMedia', 'document', script)
  run(
    { pathname: path },
    { getItem: (key: string) => stored[key] ?? null },
    () => ({ matches: prefersDark }),
    { documentElement: html },
  )
  return html.dataset.theme
}
