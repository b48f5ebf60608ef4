import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { html, type Page, renderPage } from './html.ts'

/** No inline scripts and no other origins. `data:` is for the empty icon only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const ASSETS = [
  { name: 'sandbox.css', type: 'text/css; charset=utf-8' },
  { name: 'live.js', type: 'text/javascript; charset=utf-8' },
] as const

/** The web server of the sandbox pages: strict headers, shared assets, plain HTML forms. */
export function createWeb(): FastifyInstance {
  // Requests left open on purpose must not delay the shutdown.
  const web = Fastify({ forceCloseConnections: true, bodyLimit: 256 * 1024 })

  web.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    // CSRF protection.
    if (request.method !== 'GET' && request.headers['sec-fetch-site'] === 'cross-site') {
      return reply.code(403).send({ message: 'Not from another site.' })
    }
  })

  web.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string | Buffer) =>
      Object.fromEntries(new URLSearchParams(String(body))),
  )

  for (const { name, type } of ASSETS) {
    const content = readFileSync(new URL(`./assets/${name}`, import.meta.url))
    web.get(`/assets/${name}`, (_request, reply) => reply.type(type).send(content))
  }
  return web
}

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(renderPage(page))
}

export function sendMissing(reply: FastifyReply, mark: string, what: string): FastifyReply {
  reply.code(404)
  const body = html`<h1>${what}</h1><p class="quiet">It may have been cleared, or the address is incomplete.</p>`
  return sendPage(reply, { title: what, mark, body })
}

export function cameFromForm(request: FastifyRequest): boolean {
  return request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
}

export function portOf(address: AddressInfo | string | null | undefined): number {
  if (!address || typeof address === 'string') throw new Error('The server is not listening on a port.')
  return address.port
}
