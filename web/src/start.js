// The build puts this script into the page. It runs before the first paint, so that no page flashes in the wrong colors.
// The rule is that of app/theme.ts.
;(() => {
  const path = location.pathname
  const within = (area) => path === area || path.startsWith(`${area}/`)
  const read = (key) => {
    try {
      const value = localStorage.getItem(key)
      return value === 'light' || value === 'dark' ? value : null
    } catch {
      return null
    }
  }
  const byArea = () => {
    if (within('/dashboard')) return read('portal-theme') ?? 'dark'
    if (within('/admin-panal')) return read('theme') ?? 'light'
    return read('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  }
  document.documentElement.dataset.theme = byArea()
})()

// Checks the session while the app loads. app/early-session.ts takes the response.
;(() => {
  let token = null
  try {
    token = localStorage.getItem('token')
  } catch {
    // Without storage there is no session yet.
  }
  if (token === null) return
  document.documentElement.dataset.session = ''
  const response = fetch('/api/auth/verify', {
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(10_000),
  })
  response.catch(() => {})
  globalThis.earlySession = { token, response }
})()
