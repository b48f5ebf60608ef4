import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** No inline scripts and no foreign origins. The nonce is for the style element of the scroll lock. */
export const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

export const newNonce = (): string => randomBytes(16).toString('base64')

export function addSecurityHeaders(app: FastifyInstance, { isHttps }: { isHttps: boolean }): void {
  app.addHook('onSend', async (_request, reply: FastifyReply) => {
    if (!reply.hasHeader('content-security-policy'))
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
