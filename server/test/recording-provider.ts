import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Recorded = { method: string; url: string; headers: IncomingHttpHeaders; body: unknown }

/** A payment provider with scripted responses that records its requests. */
export async function recordProvider(answer: (asked: Recorded) => { status?: number; body: string }) {
  const asked: Recorded[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const { method = '', url = '', headers } = request
    const recorded = { method, url, headers, body: text === '' ? null : JSON.parse(text) }
    asked.push(recorded)
    const { status = 200, body } = answer(recorded)
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** OxaPay's response to an invoice creation. */
export const made = (trackId: string): { body: string } => ({
  body: JSON.stringify({
    data: {
      track_id: trackId,
      payment_url: `http://127.0.0.1:9/pay/${trackId}`,
      expired_at: 4_000_000_000,
      date: 1_700_000_000,
    },
    message: 'Operation completed successfully!',
    error: {},
    status: 200,
  }),
})
