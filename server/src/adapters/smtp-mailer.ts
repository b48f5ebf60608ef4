import { createTransport } from 'nodemailer'
import type { Mailer } from '../platform/mailer.ts'

/**
 * The defaults of nodemailer are up to ten minutes, which would block a worker and a row lock. A server may scan a mail before it accepts
 * it, and a mail that is given up meanwhile would be sent again.
 */
const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 120_000 }

export function createSmtpMailer(url: string, from: string): Mailer & { close(): void } {
  const transport = createTransport(
    { url, ...timeouts },
    {
      from,
      // Recipient addresses are untrusted, so a mail must never read files or fetch URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
  )
  return {
    async send({ attachments = [], ...mail }) {
      await transport.sendMail({ ...mail, attachments: [...attachments] })
    },
    close: () => transport.close(),
  }
}
