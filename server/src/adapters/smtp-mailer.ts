import { createTransport } from 'nodemailer'
import type { Mailer } from '../platform/mailer.ts'

/** The library waits for up to ten minutes. A mail server that hangs must not keep a worker, and a row, for so long. */
const patience = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 15_000 }

export function createSmtpMailer(url: string, from: string): Mailer & { close(): void } {
  const transport = createTransport(
    { url, ...patience },
    {
      from,
      // The text is ours, but the address is not: nothing in a mail may make us read a file or fetch a page.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
  )
  return {
    async send(mail) {
      await transport.sendMail(mail)
    },
    close: () => transport.close(),
  }
}
