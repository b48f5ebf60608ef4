import type { Mail } from '../../../platform/mailer.ts'

type VerifyMail = { to: string; username: string; link: string; siteName: string; hours: number }

export const verifyMail = ({ to, username, link, siteName, hours }: VerifyMail): Mail => ({
  to,
  subject: `Confirm your email address for ${siteName}`,
  text: `Hello,

the ${siteName} account "${username}" wants to use this email address.
Open this link within ${hours} hours to confirm that the address is yours:

${link}

If this account is not yours, ignore this email. The address is not used without your confirmation.
`,
})
