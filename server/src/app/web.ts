import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { Refusal } from '@trunkline/contract/errors'
import { isScreen } from '@trunkline/contract/screens'
import type { Site } from '@trunkline/contract/site'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { compressFor } from './compression.ts'
import { answerError } from './http.ts'
import { contentSecurityPolicy, newNonce } from './security-headers.ts'

export const builtWeb = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

const NONCE_MARK = '__CSP_NONCE__'
const SITE_MARK = 'id="site">null<'

/** Serves the built web app: files (compressed if available), and its page for every screen. */
export function serveWeb(app: FastifyInstance, folder: string, site: Site): void {
  const readPage = (name: string) => withSite(readFileSync(`${folder}/${name}.html`, 'utf8'), site)
  const page = readPage('index')
  const landing = readPage('landing')
  const login = readPage('login')
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

  const sendPage = async (request: FastifyRequest, reply: FastifyReply, status: number, html = page) => {
    const nonce = newNonce()
    reply
      .status(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', contentSecurityPolicy(nonce, inlineScripts))
    return reply.send(await compressFor(request, reply, html.replaceAll(NONCE_MARK, nonce)))
  }

  app.get('/', (request, reply) => sendPage(request, reply, 200, landing))
  // With a search, such as ?tab=sign-up, the form differs from the prerendered one.
  app.get('/login', (request, reply) =>
    sendPage(request, reply, 200, request.url === '/login' ? login : page),
  )
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    const wantsPage = isReading && (request.headers.accept ?? '').includes('text/html')
    if (isReading && isScreen(path)) return sendPage(request, reply, 200)
    if (wantsPage && !path.startsWith('/api/')) return sendPage(request, reply, 404)
    return answerError(new Refusal('not_found'), request, reply)
  })
}

/** Fills the provider's names into the prerendered pages (web/build/prerendered-pages.ts), and the site into each page. */
function withSite(html: string, site: Site): string {
  const { name, support } = site
  return html
    .replace(SITE_MARK, () =>
      SITE_MARK.replace('null', () => JSON.stringify(site).replaceAll('<', '\\u003c')),
    )
    .replaceAll('__SITE_NAME__', () => escaped(name))
    .replaceAll('__SUPPORT_EMAIL__', () => escaped(support.email))
    .replaceAll('__SUPPORT_PHONE__', () => escaped(support.phone))
    .replaceAll('href="tel:"', `href="tel:${support.phone.replace(/[^+\d]/g, '')}"`)
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
