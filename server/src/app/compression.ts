import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const brotli = promisify(brotliCompress)
const asGzip = promisify(gzip)

/** Better qualities save a few bytes and take many times as long. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** The text in the best encoding that the client accepts, with the headers for it. */
export async function compressFor(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<string | Buffer> {
  const accepted = acceptedEncodings(headers['accept-encoding'])
  reply.header('vary', 'accept-encoding')
  if (accepted.has('br')) {
    reply.header('content-encoding', 'br')
    return brotli(text, brotliOptions)
  }
  if (accepted.has('gzip')) {
    reply.header('content-encoding', 'gzip')
    return asGzip(text)
  }
  return text
}

/** RFC 9110, section 12.5.3, without preferences between encodings. */
function acceptedEncodings(header: string | string[] | undefined): Set<string> {
  const named = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q=/))
  return new Set(named.filter(([, quality = '1']) => Number(quality) > 0).map(([name = '']) => name))
}
