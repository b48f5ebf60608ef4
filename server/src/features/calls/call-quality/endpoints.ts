import { defineHandlers } from '../../../platform/handler.ts'
import type { CallQualityService } from './service.ts'

export const callQualityEndpoints = (quality: CallQualityService) =>
  defineHandlers({
    'GET /api/cdr/quality': async ({ caller, query }) => ({ quality: await quality.summary(caller, query) }),
  })
