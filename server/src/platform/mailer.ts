export type Mail = { to: string; subject: string; text: string }

/** What features need of the post; the adapter that speaks SMTP is handed in. */
export type Mailer = { send(mail: Mail): Promise<void> }
