import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { portOf } from '../shared/web.ts'
import { findLinks } from './links.ts'
import type { MailStore } from './store.ts'

/** A voicemail message of five minutes has 3.3 MB. */
const LARGEST_MAIL_BYTES = 6 * 1024 * 1024

export async function listenForMail(store: MailStore, port: number, host: string) {
  const server = new SMTPServer({
    name: 'sandbox-mailbox',
    size: LARGEST_MAIL_BYTES,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    maxClients: 50,
    closeTimeout: 1_000,
    onData(stream, session, done) {
      receive(stream)
        .then((mail) => {
          const { mailFrom, rcptTo } = session.envelope
          const text = textOf(mail)
          store.add({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map((one) => one.address),
            subject: mail.subject ?? '(no subject)',
            text,
            links: findLinks(text),
            attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
              name: filename ?? '',
              type: mimeType,
              bytes: typeof content === 'string' ? content.length : content.byteLength,
            })),
          })
          done(null, 'Kept in the sandbox mailbox')
        })
        .catch((error: Error) => done(error))
    },
  })
  // An aborted client connection must not end the process.
  server.on('error', (error) => console.error(`sandbox mailbox: ${error.message}`))

  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, host, () => {
      server.server.off('error', reject)
      resolve()
    })
  })
  return {
    port: portOf(server.server.address()),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Reads to the end, as SMTP requires, but buffers at most the maximum size. */
async function receive(stream: SMTPServerDataStream): Promise<Email> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= LARGEST_MAIL_BYTES) chunks.push(chunk)
  }
  if (bytes > LARGEST_MAIL_BYTES || stream.sizeExceeded) {
    throw Object.assign(new Error('The mail is larger than the sandbox keeps'), { responseCode: 552 })
  }
  return PostalMime.parse(Buffer.concat(chunks))
}

function textOf(mail: Email): string {
  if (mail.text) return mail.text.trimEnd()
  return (mail.html ?? '')
    .replace(/<a\b[^>]*\bhref="([^"]*)"[^>]*>/gi, '$1 ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[ \t]+/g, ' ')
    .trim()
}
