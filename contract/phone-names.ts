/** Names of the accounts of browser phones. Usernames cannot have this prefix. */
export const WEB_PHONE_PREFIX = 'browser~'

export const isWebPhone = (account: string): boolean => account.startsWith(WEB_PHONE_PREFIX)

const WEB_PHONE = 'Web phone'

/** What people see instead of a generated name. */
export const accountLabel = (account: string): string => (isWebPhone(account) ? WEB_PHONE : account)

/** The device of a call: the User-Agent, unless it is the browser phone. */
export const deviceOf = (account: string | undefined, userAgent = ''): string =>
  isWebPhone(account ?? '') ? WEB_PHONE : userAgent

/** Name of the caller in a test call of a number. The number itself is the caller. */
export const TEST_CALL_NAME = 'Test call'
