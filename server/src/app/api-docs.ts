import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { openApiDocument } from '@trunkline/contract/openapi'
import type { FastifyInstance } from 'fastify'

/** Serves `/api/openapi.json` and a viewer at `/api/docs`, whose files are local too. */
export function serveApiDocs(app: FastifyInstance, title: string): void {
  const document = once(() => JSON.stringify(openApiDocument(title, '1')))
  app.get('/api/openapi.json', (_request, reply) => reply.type('application/json').send(document()))

  const reader = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const files = {
    'swagger-ui.css': 'text/css',
    'swagger-ui-bundle.js': 'text/javascript',
  }
  for (const [name, type] of Object.entries(files)) {
    const content = once(() => readFileSync(join(reader, name)))
    app.get(`/api/docs/${name}`, (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).header('cache-control', 'public, max-age=86400').send(content()),
    )
  }
  app.get('/api/docs/start.js', (_request, reply) => reply.type('text/javascript').send(START))
  app.get('/api/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(page(escapeHtml(title))),
  )
}

/** Generated on the first request, because it would take most of the start-up time of the API. */
function once<Made extends string | Buffer>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

const START = `window.ui = SwaggerUIBundle({
  url: '/api/openapi.json', dom_id: '#reader', deepLinking: true, validatorUrl: null, persistAuthorization: false,
})
`

const page = (title: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} API</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
  </head>
  <body>
    <div id="reader"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
