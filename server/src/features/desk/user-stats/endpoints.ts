import { defineHandlers } from '../../../platform/handler.ts'
import type { UserStats } from './service.ts'

export const userStatsEndpoints = (userStats: UserStats) =>
  defineHandlers({
    'GET /api/user-stats': ({ caller }) => userStats.count(caller),
  })
