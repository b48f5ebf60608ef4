/** Names of the accounts of browser phones. Usernames cannot have this prefix. */
export const WEB_PHONE_PREFIX = 'browser~'

export const isWebPhone = (account: string): boolean => account.startsWith(WEB_PHONE_PREFIX)

/** What people see instead of a generated name. */
export const accountLabel = (account: string): string => (isWebPhone(account) ? 'Web phone' : account)
