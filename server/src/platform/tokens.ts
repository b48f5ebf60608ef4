import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, safe in a header and in an address. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What the database keeps instead. A plain digest will do: there is nothing to guess in 256 random bits. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
