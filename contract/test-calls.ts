import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Timestamp } from './fields.ts'
import { IdInPath } from './money.ts'

/** Test calls to a number that the customer rents. */

export const testCallStates = [
  /** No media process has taken it yet. */
  'waiting',
  'calling',
  'ringing',
  'answered',
  'busy',
  'no_answer',
  'failed',
] as const

const TestCall = z.object({
  state: z.enum(testCallStates),
  started_at: Timestamp,
  is_running: z.boolean(),
})
export type TestCall = z.output<typeof TestCall>

export const testCalls = {
  'POST /api/numbers/:id/test-calls': {
    access: 'user',
    summary:
      'Call a number that you rent. Everything in its ring plan rings, and whoever answers hears a message',
    params: IdInPath,
    answer: z.object({ test_call: TestCall }),
    refusals: [
      'not_found',
      'number_suspended',
      'test_call_running',
      'test_call_unavailable',
      'too_many_requests',
    ],
  },
  'GET /api/numbers/:id/test-calls': {
    access: 'user',
    summary: 'Show the last test call to a number that you rent',
    params: IdInPath,
    answer: z.object({ test_call: TestCall.nullable() }),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
