import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Timestamp } from './fields.ts'

/** A registered phone or PBX, reported by a switch. */
export const Registration = z.object({
  contact: z.string(),
  address: z.string(),
  device: z.string(),
  registered_at: Timestamp,
  expires_at: Timestamp,
})
export type Registration = z.output<typeof Registration>

export const Switch = z.object({
  id: z.string(),
  software: z.string(),
  started_at: Timestamp,
  last_seen_at: Timestamp,
  live_calls: z.int(),
  registrations: z.int(),
})
export type Switch = z.output<typeof Switch>

export const registrations = {
  'GET /api/registrations': {
    access: 'user',
    summary: 'List your registered phones',
    answer: z.object({ registrations: z.array(Registration) }),
  },
  'GET /api/admin/switches': {
    access: 'admin',
    summary: 'List the switches known to call control',
    answer: z.object({ switches: z.array(Switch) }),
  },
} as const satisfies Endpoints
