import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** 256 random bits, safe in headers and URLs. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** For passwords that users type into a phone: no similar characters, and still over 100 random bits. */
const TYPEABLE = 'abcdefghjkmnpqrstuvwxyz23456789'
export const newPassword = (): string =>
  Array.from({ length: 22 }, () => TYPEABLE[randomInt(TYPEABLE.length)]).join('')

/** The database stores this hash. SHA-256 is enough, because a token has 256 random bits. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A hash for comparing texts without storing them. */
export const fingerprint = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** H(user:realm:password), the HA1 of SIP digest authentication. */
export const sipDigest = (
  algorithm: 'md5' | 'sha256',
  username: string,
  realm: string,
  password: string,
): string => createHash(algorithm).update(`${username}:${realm}:${password}`).digest('hex')

/** Tells the SIP passwords of an account apart without revealing one. */
export const fingerprintOf = (ha1: string): string =>
  createHash('sha256').update(ha1).digest('hex').slice(0, 8)

/** The signature of TURN credentials, as coturn checks it. */
export const hmacSha1 = (secret: string, text: string): string =>
  createHmac('sha1', secret).update(text).digest('base64')

/** The signature of requests to addresses of customers. */
export const hmacSha256 = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex')

/** Compares in constant time. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(hashToken(one), hashToken(other))
