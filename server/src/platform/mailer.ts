export type Mail = {
  to: string
  subject: string
  text: string
  /** Set if a mail can be sent twice. Mail clients use it to detect duplicates. */
  messageId?: string
  attachments?: readonly { filename: string; content: Buffer; contentType: string }[]
}

/** Implemented by an adapter. */
export type Mailer = { send(mail: Mail): Promise<void> }
