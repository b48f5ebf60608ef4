import { defineHandlers } from '../../../platform/handler.ts'
import type { NumberTrials } from './service.ts'

export const numberTrialEndpoints = (trials: NumberTrials) =>
  defineHandlers({
    'GET /api/admin/try-number': async ({ caller, query }) => ({
      trial: await trials.try(caller, query.number, query.home_country ?? null),
    }),
  })
