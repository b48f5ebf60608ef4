import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { Refusal } from '@trunkline/contract/errors'
import { isScreen } from '@trunkline/contract/screens'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { answerError } from './http.ts'
import { contentSecurityPolicy, newNonce } from './security-headers.ts'

export const builtWeb = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

const NONCE_MARK = '__CSP_NONCE__'

type Names = { name: string; support: { email: string; phone: string } }

/** Serves the built web app: files (compressed if available), and its page for every screen. */
export function serveWeb(app: FastifyInstance, folder: string, names: Names): void {
  const page = readFileSync(`${folder}/index.html`, 'utf8')
  const landing = withNames(readFileSync(`${folder}/landing.html`, 'utf8'), names)
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

  const sendPage = (reply: FastifyReply, status: number, html = page) => {
    const nonce = newNonce()
    return reply
      .status(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', contentSecurityPolicy(nonce, inlineScripts))
      .send(html.replaceAll(NONCE_MARK, nonce))
  }

  app.get('/', (_request, reply) => sendPage(reply, 200, landing))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    const wantsPage = isReading && (request.headers.accept ?? '').includes('text/html')
    if (isReading && isScreen(path)) return sendPage(reply, 200)
    if (wantsPage && !path.startsWith('/api/')) return sendPage(reply, 404)
    return answerError(new Refusal('not_found'), request, reply)
  })
}

/** Fills the provider's names into the prerendered landing page (web/vite.config.ts). */
function withNames(html: string, { name, support }: Names): string {
  return html
    .replaceAll('__SITE_NAME__', () => escaped(name))
    .replaceAll('__SUPPORT_EMAIL__', () => escaped(support.email))
    .replaceAll('__SUPPORT_PHONE__', () => escaped(support.phone))
    .replaceAll('href="tel:"', `href="tel:${support.phone.replace(/[^+\d]/g, '')}"`)
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
