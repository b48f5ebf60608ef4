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
