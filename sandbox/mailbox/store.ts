import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openJsonLines } from '../shared/json-lines.ts'

export interface Message {
  id: string
  received_at: string
  from: string
  /** Recipients from the SMTP envelope, because headers are not reliable. */
  to: string[]
  subject: string
  text: string
  /** The http(s) links in the text, for tests. */
  links: string[]
  /** Facts only; the files are not kept. Absent in mails of earlier releases. */
  attachments?: { name: string; type: string; bytes: number }[]
}

export interface MailStore {
  add(message: Omit<Message, 'id' | 'received_at'>): Message
  /** Newest first. */
  list(to?: string): Message[]
  get(id: string): Message | undefined
  clear(): void
}

const KEPT = 200

export function openMailStore(folder: string): MailStore {
  const { file, records } = openJsonLines<Message>(join(folder, 'mails.jsonl'))
  let messages = records.slice(-KEPT)
  if (messages.length < records.length) file.rewrite(messages)
  let lines = messages.length

  return {
    add(mail) {
      const message = { id: randomUUID(), received_at: new Date().toISOString(), ...mail }
      file.append(message)
      lines += 1
      messages = [...messages, message].slice(-KEPT)
      // The file is rewritten only when it holds twice the kept number of emails.
      if (lines >= 2 * KEPT) {
        file.rewrite(messages)
        lines = messages.length
      }
      return message
    },
    list(to) {
      const wanted = to?.trim().toLowerCase()
      return messages
        .filter((message) => !wanted || message.to.some((one) => one.toLowerCase() === wanted))
        .toReversed()
    },
    get: (id) => messages.find((message) => message.id === id),
    clear() {
      messages = []
      lines = 0
      file.rewrite([])
    },
  }
}
