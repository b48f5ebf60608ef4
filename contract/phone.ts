import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'

/** What a browser needs to telephone, good for this session and this browser alone. */
export const BrowserPhone = z.object({
  /** What its calls are listed under. */
  name: z.string(),
  realm: z.string(),
  password: z.string(),
  /** Where the connection is opened, on the portal's own origin; the token goes with it as a second subprotocol after `sip`. */
  socket: z.string(),
  socket_token: z.string(),
  /** Dialled, it says back what it hears, for nothing. */
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
