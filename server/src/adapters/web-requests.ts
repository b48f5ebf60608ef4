import { lookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import type { WebAnswer, WebRequest, WebRequests } from '../platform/web-requests.ts'

/** Networks of this machine and its neighbors. A customer must not reach them through us. */
const RANGES = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const

const privateAddresses = new BlockList()
for (const [network, bits] of RANGES)
  privateAddresses.addSubnet(network, bits, isIPv6(network) ? 'ipv6' : 'ipv4')

/** IPv4 addresses in IPv6 form are checked as IPv4. */
export const isPrivateAddress = (address: string): boolean =>
  privateAddresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

class Forbidden extends Error {}
const FORBIDDEN = 'The address is in a private network.'

/** Checks the resolved address that the socket will use, so a name cannot change between check and use. */
const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '', 0)
    const [first] = found
    if (!first || found.some(({ address }) => isPrivateAddress(address)))
      return done(new Forbidden(FORBIDDEN), '', 0)
    if (options.all) return done(null, found)
    done(null, first.address, first.family)
  })
}

type Options = {
  /** Allows addresses in private networks. */
  allowsPrivate: boolean
}

export function createWebRequests({ allowsPrivate }: Options): WebRequests {
  return {
    post: async ({ url, ...request }): Promise<WebAnswer> => {
      const target = URL.canParse(url) ? new URL(url) : null
      if (!target || !['http:', 'https:'].includes(target.protocol))
        return failed('The address must start with http:// or https://.')
      // A literal address is not looked up.
      const host = target.hostname.replace(/^\[|\]$/g, '')
      if (!allowsPrivate && isIP(host) !== 0 && isPrivateAddress(host)) return failed(FORBIDDEN)
      const timeout = AbortSignal.timeout(request.timeoutMs)
      try {
        return await send(target, request, AbortSignal.any([timeout, request.signal]), allowsPrivate)
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
  signal: AbortSignal,
  allowsPrivate: boolean,
): Promise<WebAnswer> {
  const request = target.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        agent: false,
        signal,
        ...(!allowsPrivate && { lookup: publicLookup }),
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
