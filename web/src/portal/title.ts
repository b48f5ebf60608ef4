/** The header's title, by the path. The specification names six; whatever else is under /dashboard is the dashboard's. */
const titles = [
  ['profile', 'Profile'],
  ['trunks', 'Trunks'],
  ['cdr-report', 'CDR Report'],
  ['support', 'Support'],
  ['upgrade', 'Upgrade'],
] as const

export function titleFor(path: string): string {
  const screen = path.split('/')[2]
  return titles.find(([name]) => name === screen)?.[1] ?? 'Dashboard'
}

/** What the browser's tab and history say: there the screen without a title of its own would pass for Home. */
export const tabTitleFor = (path: string): string =>
  path.split('/')[2] === 'topup' ? 'Top Up' : titleFor(path)
