import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'

/** A bucket of an S3-compatible store. */
export type ObjectStore = {
  put(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>
  get(name: string): Promise<Buffer | null>
  remove(name: string): Promise<void>
}

export type ObjectStoreSettings = {
  /** With the bucket: https://s3.example/bucket or https://bucket.s3.example. */
  url: string
  region: string
  keyId: string
  secret: string
}

const TIMEOUT_MS = 60_000
/** Jobs and customers try again, so few attempts are made here. */
const RETRIES = 2

export function createObjectStore({ url, region, keyId, secret }: ObjectStoreSettings): ObjectStore {
  const client = new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secret,
    region,
    service: 's3',
    retries: RETRIES,
  })
  async function request(method: string, name: string, body?: Uint8Array<ArrayBuffer>): Promise<Response> {
    const response = await client.fetch(`${url.replace(/\/+$/, '')}/${encodeURIComponent(name)}`, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body, headers: { 'X-Amz-Content-Sha256': sha256(body) } }),
    })
    if (response.ok || (response.status === 404 && method !== 'PUT')) return response
    await response.body?.cancel()
    throw new Error(`The object store answered ${response.status} to ${method} ${name}`)
  }
  return {
    async put(name, bytes) {
      const response = await request('PUT', name, bytes)
      await response.body?.cancel()
    },
    async get(name) {
      const response = await request('GET', name)
      if (response.ok) return Buffer.from(await response.arrayBuffer())
      await response.body?.cancel()
      return null
    },
    async remove(name) {
      const response = await request('DELETE', name)
      await response.body?.cancel()
    },
  }
}

/** The store rejects a body that has changed on its way. */
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
