import { once } from 'node:events'
import { createServer } from 'node:http'
import { portOf } from '../shared/web.ts'

export interface ReceivedCallback {
  raw: string
  signature: string | undefined
  body: { status: string; track_id: string; value: number; amount: number; order_id: string }
}

/** A merchant's server on a real port, with scripted responses to callbacks. */
export async function startMerchant() {
  const received: ReceivedCallback[] = []
  let answer = { status: 200, body: 'ok' }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks).toString('utf8')
    received.push({ raw, signature: request.headers.hmac as string | undefined, body: JSON.parse(raw) })
    response.writeHead(answer.status).end(answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    received,
    callbackUrl: `http://127.0.0.1:${portOf(server.address())}/callback`,
    answerWith(status: number, body: string) {
      answer = { status, body }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
