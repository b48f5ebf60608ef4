/** The header titles of the specification, and of Numbers, Flows, Voicemail and Statement. Other paths show Dashboard. */
const titles = [
  ['profile', 'Profile'],
  ['trunks', 'Trunks'],
  ['numbers', 'Numbers'],
  ['flows', 'Flows'],
  ['voicemail', 'Voicemail'],
  ['cdr-report', 'CDR Report'],
  ['support', 'Support'],
  ['upgrade', 'Upgrade'],
  ['statement', 'Statement'],
] as const

export function titleFor(path: string): string {
  const screen = path.split('/')[2]
  return titles.find(([name]) => name === screen)?.[1] ?? 'Dashboard'
}

/** The title of the browser tab, where Top Up must differ from Home. */
export const tabTitleFor = (path: string): string =>
  path.split('/')[2] === 'topup' ? 'Top Up' : titleFor(path)
