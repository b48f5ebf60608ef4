import type { FlowEvent, Variables } from '@trunkline/domain/flows'
import { type Clock, SECOND } from '../../../platform/clock.ts'
import { storable } from '../../../platform/rows.ts'
import { hmacSha256 } from '../../../platform/tokens.ts'
import type { WebRequests } from '../../../platform/web-requests.ts'

/** The `http` step: docs/flows.md describes the signature. */

const MAX_ANSWER_BYTES = 64 * 1024
const MAX_VALUE_LENGTH = 1_000

type Question = {
  url: string
  variables: Variables
  seconds: number
  saves: readonly string[]
  /** Of the flow. */
  secret: string
  signal: AbortSignal
}

type Without<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never
type Answered = Without<Extract<FlowEvent, { type: 'http' | 'http_failed' }>, 'at'>

export async function askAddress(
  { web, clock }: { web: WebRequests; clock: Clock },
  { url, variables, seconds, saves, secret, signal }: Question,
): Promise<Answered> {
  const body = JSON.stringify(variables)
  const timestamp = String(Math.floor(clock.now().getTime() / SECOND))
  const answer = await web.post({
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Trunkline',
      'trunkline-timestamp': timestamp,
      'trunkline-signature': `v1=${hmacSha256(secret, `${timestamp}.${body}`)}`,
    },
    timeoutMs: seconds * SECOND,
    maxBytes: MAX_ANSWER_BYTES,
    signal,
  })
  if (!answer.ok) return { type: 'http_failed', isTimeout: answer.isTimeout, reason: answer.reason }
  const isGood = answer.status >= 200 && answer.status < 300
  if (!isGood || saves.length === 0) return { type: 'http', status: answer.status, variables: {} }
  const fields = fieldsOf(answer.body)
  if (!fields) return { type: 'http_failed', isTimeout: false, reason: 'The answer is not a JSON object.' }
  return { type: 'http', status: answer.status, variables: savedFields(fields, saves) }
}

function fieldsOf(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** Texts, numbers and booleans become texts. Other values are left out. */
function savedFields(fields: Record<string, unknown>, saves: readonly string[]): Variables {
  const saved: Record<string, string> = {}
  for (const name of saves) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      saved[name] = storable(String(value).slice(0, MAX_VALUE_LENGTH))
  }
  return saved
}
