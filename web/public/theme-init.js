// Runs before the first paint so that no page flashes in the wrong colours. The rule is that of src/app/theme.ts.
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
