import { Refusal } from '@trunkline/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileAnswer } from '../platform/handler.ts'

/** Sends a file, or the requested part of it. Browsers request parts to play sound from a position. */
export function sendFile(
  { bytes, name }: FileAnswer,
  type: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  reply.headers({
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    'content-disposition': `inline; filename="${asciiName(name)}"; filename*=UTF-8''${encodedName(name)}`,
  })
  const range = rangeOf(request, bytes.length)
  if (range === null) {
    reply.header('content-range', `bytes */${bytes.length}`)
    throw new Refusal('range_invalid')
  }
  const { from, to, isPart } = range
  if (isPart) reply.status(206).header('content-range', `bytes ${from}-${to}/${bytes.length}`)
  return reply.type(type).send(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from + 1))
}

/** RFC 9110, section 14. Null if no byte is in the range. Several ranges, and those with another unit, are ignored. */
function rangeOf(request: FastifyRequest, length: number) {
  const whole = { from: 0, to: length - 1, isPart: false }
  const { range, 'if-range': validator } = request.headers
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  // Files have no validator, so none can match.
  if (request.method !== 'GET' || validator !== undefined || (first === '' && last === '')) return whole
  if (first === '') {
    const count = Math.min(Number(last), length)
    return count === 0 ? null : { from: length - count, to: length - 1, isPart: true }
  }
  if (last !== '' && Number(last) < Number(first)) return whole
  if (Number(first) >= length) return null
  return { from: Number(first), to: Math.min(last === '' ? length : Number(last), length - 1), isPart: true }
}

const asciiName = (name: string): string => name.replace(/[^\w .()-]/g, '_')

/** RFC 8187. */
const encodedName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
