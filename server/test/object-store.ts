import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'
import type { ObjectStoreSettings } from '../src/adapters/object-store.ts'
import { atEnd } from './lifetime.ts'

/** An S3-compatible store in memory. It rejects requests whose signature or body hash is wrong. */
export async function startObjectStore() {
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  const state = { isFailing: false }
  const settings: ObjectStoreSettings = { url: '', region: 'eu-west-1', keyId: 'key-id', secret: 'secret' }
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url?.replace('/bucket/', '') ?? '')
    const body = await buffer(request)
    requests.push(`${request.method} ${name}`)
    if (state.isFailing) return response.writeHead(503).end()
    if (!(await isSigned(request.method ?? '', request.url ?? '', request.headers)))
      return response.writeHead(403).end()
    const hash = createHash('sha256').update(body).digest('hex')
    if (request.method === 'PUT' && request.headers['x-amz-content-sha256'] !== hash)
      return response.writeHead(400).end()
    if (request.method === 'PUT') objects.set(name, body)
    if (request.method === 'DELETE') objects.delete(name)
    const found = objects.get(name)
    if (request.method === 'GET' && !found) return response.writeHead(404).end()
    return response
      .writeHead(request.method === 'DELETE' ? 204 : 200)
      .end(request.method === 'GET' ? found : '')
  })

  async function isSigned(method: string, path: string, headers: Record<string, unknown>): Promise<boolean> {
    const signed = await new AwsV4Signer({
      method,
      url: `${settings.url.replace('/bucket', '')}${path}`,
      headers: { 'X-Amz-Content-Sha256': String(headers['x-amz-content-sha256']) },
      accessKeyId: 'key-id',
      secretAccessKey: 'secret',
      region: settings.region,
      service: 's3',
      datetime: String(headers['x-amz-date']),
    }).sign()
    return signed.headers.get('authorization') === headers.authorization
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  settings.url = `http://127.0.0.1:${address.port}/bucket`
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { settings, objects, requests, state }
}
