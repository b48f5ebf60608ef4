import { createHash, randomBytes, randomInt } from 'node:crypto'

/** 256 random bits, safe in a header and in an address. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** For a phone, where it may have to be typed: no letters that look alike, and still over 100 random bits. */
const TYPEABLE = 'abcdefghjkmnpqrstuvwxyz23456789'
export const newPassword = (): string =>
  Array.from({ length: 22 }, () => TYPEABLE[randomInt(TYPEABLE.length)]).join('')

/** What the database keeps instead. A plain digest will do: there is nothing to guess in 256 random bits. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Tells two texts apart without keeping either. */
export const fingerprint = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** H(user:realm:password), all that SIP's digest needs to know of a password. */
export const sipDigest = (
  algorithm: 'md5' | 'sha256',
  username: string,
  realm: string,
  password: string,
): string => createHash(algorithm).update(`${username}:${realm}:${password}`).digest('hex')
