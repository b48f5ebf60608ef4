import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { Refusal } from '@trunkline/contract/errors'
import { isScreen } from '@trunkline/contract/screens'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerError } from './http.ts'
import { contentSecurityPolicy, newNonce } from './security-headers.ts'

export const builtWeb = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

const NONCE_MARK = '__CSP_NONCE__'

/** Serves the built web app: files (compressed if available), and its page for every screen. */
export function serveWeb(app: FastifyInstance, folder: string): void {
  const page = readFileSync(`${folder}/index.html`, 'utf8')
  const inlineScripts = Array.from(
    page.matchAll(/<script>([\s\S]*?)<\/script>/g),
    ([, script = '']) => script,
  )
  app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(response, path) {
      // Files with a hash in their name never change. Others are revalidated.
      const isHashed = path.includes('/assets/')
      response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })

  const sendPage = (_request: FastifyRequest, reply: FastifyReply, status: number) => {
    const nonce = newNonce()
    return reply
      .status(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', contentSecurityPolicy(nonce, inlineScripts))
      .send(page.replaceAll(NONCE_MARK, nonce))
  }

  app.get('/', (request, reply) => sendPage(request, reply, 200))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    const wantsPage = isReading && (request.headers.accept ?? '').includes('text/html')
    if (isReading && isScreen(path)) return sendPage(request, reply, 200)
    if (wantsPage && !path.startsWith('/api/')) return sendPage(request, reply, 404)
    return answerError(new Refusal('not_found'), request, reply)
  })
}
