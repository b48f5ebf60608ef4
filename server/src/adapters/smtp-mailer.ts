import { createTransport } from 'nodemailer'
import type { Mailer } from '../platform/mailer.ts'

export function createSmtpMailer(url: string, from: string): Mailer & { close(): void } {
  const transport = createTransport(url, {
    from,
    // The text is ours, but the address is not: nothing in a mail may make us read a file or fetch a page.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      await transport.sendMail(mail)
    },
    close: () => transport.close(),
  }
}
