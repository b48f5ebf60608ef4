import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isSpecialAddress, normalHost } from '@trunkline/contract/hosts'
import type { WebAnswer, WebRequest, WebRequests } from '../platform/web-requests.ts'

class Forbidden extends Error {}
const FORBIDDEN = 'The address is in a private network or belongs to this service.'

type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: Error | null, found: LookupAddress[]) => void,
) => void

type Options = {
  /** Allows addresses in private networks and `isOwn`. */
  allowsPrivate: boolean
  /** True for an address of this machine or its switches. Linux routes own public addresses over loopback, past the firewall. */
  isOwn: (address: string) => boolean
  lookup?: Lookup
}

/** A customer must not reach this machine or its neighbors through us. */
export function createWebRequests({ allowsPrivate, isOwn, lookup = systemLookup }: Options): WebRequests {
  const isForbidden = (address: string) => isSpecialAddress(address) || isOwn(normalHost(address) ?? address)

  /** Checks the resolved address that the socket will use, so a name cannot change between check and use. */
  const publicLookup: LookupFunction = (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0)
      const [first] = found
      if (!first || found.some(({ address }) => isForbidden(address)))
        return done(new Forbidden(FORBIDDEN), '', 0)
      if (options.all) return done(null, found)
      done(null, first.address, first.family)
    })
  }

  return {
    post: async ({ url, ...request }): Promise<WebAnswer> => {
      const target = URL.canParse(url) ? new URL(url) : null
      if (!target || !['http:', 'https:'].includes(target.protocol))
        return failed('The address must start with http:// or https://.')
      // A literal address is not looked up.
      const host = target.hostname.replace(/^\[|\]$/g, '')
      if (!allowsPrivate && isIP(host) !== 0 && isForbidden(host)) return failed(FORBIDDEN)
      const timeout = AbortSignal.timeout(request.timeoutMs)
      const signal = AbortSignal.any([timeout, request.signal])
      try {
        return await send(target, request, { signal, ...(!allowsPrivate && { lookup: publicLookup }) })
      } catch (error) {
        if (timeout.aborted) return { ok: false, isTimeout: true, reason: 'No complete answer in time.' }
        return failed(reasonOf(error))
      }
    },
  }
}

const failed = (reason: string): WebAnswer => ({ ok: false, isTimeout: false, reason })

function reasonOf(error: unknown): string {
  if (error instanceof Forbidden) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^E[A-Z_]+$/.test(code)) return `The request failed: ${code}.`
  return error instanceof TooLong ? error.message : 'The request failed.'
}

class TooLong extends Error {}

function send(
  target: URL,
  { headers, body, maxBytes }: Omit<WebRequest, 'url'>,
  options: { signal: AbortSignal; lookup?: LookupFunction },
): Promise<WebAnswer> {
  const request = target.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        agent: false,
        ...options,
      },
      (answer) => {
        readText(answer, maxBytes).then((text) => {
          resolve({ ok: true, status: answer.statusCode ?? 0, body: text })
        }, reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

async function readText(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    size += chunk.length
    if (size > maxBytes) {
      answer.destroy()
      throw new TooLong(`The answer is longer than ${maxBytes} bytes.`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
