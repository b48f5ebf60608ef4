export type Mail = {
  to: string
  subject: string
  text: string
  /** Given where a mail may be handed over twice: mailboxes know by it that it is the same. */
  messageId?: string
}

/** What features need of the post; the adapter that speaks SMTP is handed in. */
export type Mailer = { send(mail: Mail): Promise<void> }
