/** Paths of the web app. The server answers them with its page, and other paths with 404. */
const screens = [
  /^\/$/,
  /^\/login$/,
  /^\/forgot-password$/,
  /^\/reset-password$/,
  /^\/verify-email$/,
  /^\/dashboard(\/(profile|trunks|numbers|voicemail|flows(\/(queues|sounds|\d+))?|cdr-report(\/quality)?|support|topup|statement|upgrade))?$/,
  /^\/admin-panal(\/(payments|users(\/\d+)?|promo-codes|balances|alerts|trunks(\/(numbers|pricing|routing|prompts|invoices(\/\d+)?))?|support|audit-log|calls|analysis))?$/,
]

export const isScreen = (path: string): boolean => {
  const withoutSlash = path.length > 1 ? path.replace(/\/$/, '') : path
  return screens.some((screen) => screen.test(withoutSlash))
}
