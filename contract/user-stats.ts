import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'

export const userStats = {
  'GET /api/user-stats': {
    access: 'admin',
    summary: 'How many accounts there are, and how many of them signed in or called within 30 days',
    answer: z.object({ total_users: z.int(), active_users: z.int() }),
  },
} as const satisfies Endpoints
