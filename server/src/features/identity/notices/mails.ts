import type { Mail } from '../../../platform/mailer.ts'

export type NoticeKind = 'password' | 'sip_password' | 'address' | 'device' | 'email'

type Notice = {
  to: string
  username: string
  siteName: string
  publicUrl: string
  at: Date
  detail: string
}

type Words = {
  subject: (siteName: string) => string
  /** Text of the event. `when` is a date and time. */
  story: (notice: Notice, when: string) => string
}

const words: Readonly<Record<NoticeKind, Words>> = {
  password: {
    subject: (siteName) => `Your ${siteName} password was changed`,
    story: ({ siteName }, when) =>
      `The password of your ${siteName} account was changed at ${when}. All other devices are signed out.`,
  },
  sip_password: {
    subject: (siteName) => `Your ${siteName} SIP password was changed`,
    story: ({ siteName }, when) =>
      `A new SIP password was generated for your ${siteName} account at ${when}. Phones need it to connect.`,
  },
  address: {
    subject: (siteName) => `The trusted addresses of your ${siteName} account were changed`,
    story: ({ siteName, detail }, when) =>
      `The trusted addresses of your ${siteName} account were changed at ${when}: ${detail}.`,
  },
  device: {
    subject: (siteName) => `New sign-in to your ${siteName} account`,
    story: ({ siteName, detail }, when) =>
      `Your ${siteName} account was used to sign in from a new device at ${when}: ${detail}.`,
  },
  email: {
    subject: (siteName) => `The email address of your ${siteName} account was changed`,
    story: ({ siteName, detail }, when) =>
      `The email address of your ${siteName} account was changed to ${detail} at ${when}. We no longer send emails to this address.`,
  },
}

/** Warns the owner about changes that an attacker would make first. */
export function noticeMail(kind: NoticeKind, notice: Notice): Mail {
  const { to, username, siteName, publicUrl, at } = notice
  const when = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  // A reset link would go to the new address, which can belong to an attacker.
  const remedy =
    kind === 'email'
      ? 'If it was not you, someone else has access to your account. Contact our support immediately.'
      : `If it was not you, someone else has access to your account. Set a new password immediately, which signs them out:

${publicUrl}/forgot-password

Then check your call records and contact our support.`
  return {
    to,
    subject: words[kind].subject(siteName),
    text: `Hello ${username},

${words[kind].story(notice, when)}

If it was you, no action is needed.

${remedy}
`,
  }
}
