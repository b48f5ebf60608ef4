import { useSyncExternalStore } from 'react'

/**
 * Defaults: the customer area is dark, the panel is light, public pages follow the system. The panel and the public
 * pages share one choice. `start.js` applies the same rule before the
 * first paint; a test keeps the two equal.
 */
export type Theme = 'light' | 'dark'

export type Preferences = { theme: string | null; portalTheme: string | null; prefersDark: boolean }

const themeKey = (path: string) => (isPortal(path) ? 'portal-theme' : 'theme')

const isPortal = (path: string) => path === '/dashboard' || path.startsWith('/dashboard/')
const isPanel = (path: string) => path === '/admin-panal' || path.startsWith('/admin-panal/')
const asTheme = (value: string | null): Theme | null => (value === 'light' || value === 'dark' ? value : null)

export function themeFor(path: string, { theme, portalTheme, prefersDark }: Preferences): Theme {
  if (isPortal(path)) return asTheme(portalTheme) ?? 'dark'
  if (isPanel(path)) return asTheme(theme) ?? 'light'
  return asTheme(theme) ?? (prefersDark ? 'dark' : 'light')
}

function readPreferences(): Preferences {
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches
  try {
    return {
      theme: localStorage.getItem('theme'),
      portalTheme: localStorage.getItem('portal-theme'),
      prefersDark,
    }
  } catch {
    return { theme: null, portalTheme: null, prefersDark }
  }
}

const listeners = new Set<() => void>()

const shown = (): Theme => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light')

function show(theme: Theme): void {
  const html = document.documentElement
  html.dataset.theme = theme
  // The browser frame takes the color of the page.
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', getComputedStyle(html).getPropertyValue('--ground'))
  for (const listener of listeners) listener()
}

/** Applies the theme of a path. Called on every navigation. */
export const applyTheme = (path: string): void => show(themeFor(path, readPreferences()))

function choose(theme: Theme): void {
  try {
    localStorage.setItem(themeKey(location.pathname), theme)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  show(theme)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useTheme(): { theme: Theme; toggle: () => void } {
  // A prerendered page does not know the theme.
  const theme = useSyncExternalStore(subscribe, shown, () => 'light' as const)
  return { theme, toggle: () => choose(theme === 'dark' ? 'light' : 'dark') }
}

/** Follows changes of the system theme and of other tabs. */
export function followTheme(): void {
  const again = () => applyTheme(location.pathname)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again)
  addEventListener('storage', again)
}
