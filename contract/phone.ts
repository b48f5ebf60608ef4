import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Timestamp } from './fields.ts'

/** TURN servers for browsers that cannot reach the media ports directly. Empty if the provider has none. */
export const Relays = z.object({
  servers: z.array(z.object({ urls: z.array(z.string()), username: z.string(), credential: z.string() })),
  /** Use no other path. */
  only: z.boolean(),
  /** When the credentials expire. */
  expires_at: Timestamp,
})
export type Relays = z.output<typeof Relays>

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
  relays: Relays,
})
export type BrowserPhone = z.output<typeof BrowserPhone>

export const PHONE_SOCKET_PATH = '/api/phone/socket'

export const phone = {
  'POST /api/phone': {
    access: 'user',
    summary:
      'Create phone credentials for this session. They work only on their own connection. A session has one phone; `take_over` ends the previous phone and its calls. With `receives` a session has one phone in each tab',
    body: z.strictObject({ take_over: z.boolean().default(false), receives: z.boolean().default(false) }),
    answer: BrowserPhone,
    refusals: ['no_phone', 'phone_in_use'],
  },
  'GET /api/phone/relays': {
    access: 'user',
    summary:
      'Get new credentials for the TURN servers, for a phone that is connected longer than the old ones are valid',
    answer: Relays,
  },
} as const satisfies Endpoints
