import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Inline scripts by their hash only, and no foreign origins. The nonce is for the style element of the scroll lock. */
export const contentSecurityPolicy = (nonce: string, inlineScripts: readonly string[] = []): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...inlineScripts.map((script) => `'sha256-${sha256(script)}'`)].join(' '),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    // Players get their sound with the token of the session, as a blob.
    "media-src 'self' blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

export const newNonce = (): string => randomBytes(16).toString('base64')

export function addSecurityHeaders(app: FastifyInstance, { isHttps }: { isHttps: boolean }): void {
  app.addHook('onSend', async (request, reply: FastifyReply) => {
    if (!reply.hasHeader('content-security-policy') && needsPolicy(request, reply))
      reply.header('content-security-policy', contentSecurityPolicy(newNonce()))
    reply.headers({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(self)',
    })
    if (isHttps) reply.header('strict-transport-security', 'max-age=31536000')
  })
}

/** A policy applies to pages and workers. Browsers ignore it on other scripts, styles and fonts. */
function needsPolicy({ url }: FastifyRequest, reply: FastifyReply): boolean {
  const type = String(reply.getHeader('content-type') ?? '')
  return !/^(text|application)\/javascript|^text\/css|^font\//.test(type) || url.includes('/worker-')
}
