import type { HandlersOf } from '../../../platform/handler.ts'
import type { CallQualityService } from './service.ts'

export const callQualityEndpoints = (quality: CallQualityService): HandlersOf<'GET /api/cdr/quality'> => ({
  'GET /api/cdr/quality': async ({ caller, query }) => ({ quality: await quality.summary(caller, query) }),
})
