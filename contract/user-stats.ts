import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'

export const userStats = {
  'GET /api/user-stats': {
    access: 'admin',
    summary: 'Get the number of accounts and of those active within 30 days',
    answer: z.object({ total_users: z.int(), active_users: z.int() }),
  },
} as const satisfies Endpoints
