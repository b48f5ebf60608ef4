import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'

/** Settings of a browser phone, valid for this session and browser only. */
export const BrowserPhone = z.object({
  /** Label of its calls. */
  name: z.string(),
  realm: z.string(),
  password: z.string(),
  /** Path of the WebSocket on the portal's origin. The client sends the token as second subprotocol after `sip`. */
  socket: z.string(),
  socket_token: z.string(),
  /** Number of the free echo test. */
  echo: z.string(),
})
export type BrowserPhone = z.output<typeof BrowserPhone>

export const PHONE_SOCKET_PATH = '/api/phone/socket'

export const phone = {
  'POST /api/phone': {
    access: 'user',
    summary:
      'Create phone credentials for this session. They work only on their own connection. A session has one phone; `take_over` ends the previous phone and its calls',
    body: z.strictObject({ take_over: z.boolean().default(false) }),
    answer: BrowserPhone,
    refusals: ['no_phone', 'phone_in_use'],
  },
} as const satisfies Endpoints
