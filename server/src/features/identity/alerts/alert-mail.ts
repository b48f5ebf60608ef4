import { titleOfKind } from '@trunkline/contract/alert-topics'
import type { OpenedAlert } from './mail-store.ts'

const atMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

export function alertMail(
  alerts: readonly OpenedAlert[],
  { publicUrl, siteName }: { publicUrl: string; siteName: string },
): { subject: string; text: string } {
  const [first] = alerts
  const what = first && alerts.length === 1 ? titleOfKind(first.kind) : `${alerts.length} alerts`
  const entries = alerts.map(({ kind, username, message, first_at }) => {
    const whose = username === null ? '' : `, ${username}`
    return `${titleOfKind(kind)}${whose}, ${atMinute(first_at)}\n${message}`
  })
  return {
    subject: `${siteName}: ${what}`,
    text: `${entries.join('\n\n')}

View and acknowledge them:
${publicUrl}/admin-panal/alerts

You receive this email because your address is in the alert settings.
`,
  }
}
