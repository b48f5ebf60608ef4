import type { HandlersOf } from '../../../platform/handler.ts'
import type { UserStats } from './service.ts'

export const userStatsEndpoints = (userStats: UserStats): HandlersOf<'GET /api/user-stats'> => ({
  'GET /api/user-stats': ({ caller }) => userStats.count(caller),
})
