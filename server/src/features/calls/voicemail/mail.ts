import type { Mail } from '../../../platform/mailer.ts'
import type { VoicemailRow } from './store.ts'

type Addressee = { to: string; username: string; siteName: string; publicUrl: string }

/** Callers choose their name, so control characters are removed and it is named as their claim. */
const cleaned = (text: string): string => text.replace(/\p{C}/gu, '').slice(0, 60)

const withPlus = (number: string): string => (/^\d{6,}$/.test(number) ? `+${number}` : cleaned(number))

export const lengthInWords = (seconds: number): string => {
  const whole = Math.max(1, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** A new message, with its sound if the customer wants it. */
export function voicemailMail(
  row: VoicemailRow,
  wav: Uint8Array | null,
  { to, username, siteName, publicUrl }: Addressee,
): Mail {
  const caller = withPlus(row.caller) || 'a withheld number'
  const name = cleaned(row.caller_name)
  const at = `${row.started_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const lines = [
    `Caller: ${caller}`,
    ...(name ? [`Name sent by the caller: ${name}`] : []),
    `Called number: ${withPlus(row.number)}`,
    `Received: ${at}`,
    `Length: ${lengthInWords(Number(row.seconds))}`,
  ]
  return {
    to,
    subject: `${siteName}: New voicemail from ${caller}`,
    text: `Hello ${username},\n\nYou have a new voicemail message.\n\n${lines.join('\n')}\n\nListen to it in the portal:\n\n${publicUrl}/dashboard/voicemail?message=${row.id}\n`,
    messageId: `<voicemail-${row.id}@${new URL(publicUrl).hostname}>`,
    ...(wav && {
      attachments: [
        {
          filename: `voicemail-${row.started_at.toISOString().slice(0, 10)}-${row.id}.wav`,
          content: Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength),
          contentType: 'audio/wav',
        },
      ],
    }),
  }
}
