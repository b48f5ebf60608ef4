import { type HandlersOf, Streamed } from '../../../platform/handler.ts'
import type { AnalysisService } from './service.ts'

type Addresses = 'GET /api/admin/analysis' | 'GET /api/admin/analysis.csv'

export const analysisEndpoints = (analysis: AnalysisService): HandlersOf<Addresses> => ({
  'GET /api/admin/analysis': async ({ caller, query }) => ({ analysis: await analysis.read(caller, query) }),

  'GET /api/admin/analysis.csv': async ({ caller, query }) =>
    new Streamed(await analysis.csv(caller, query), {
      'content-disposition': `attachment; filename="analysis_${query.by}_${query.from}_${query.to}.csv"`,
    }),
})
