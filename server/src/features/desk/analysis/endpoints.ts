import { defineHandlers, Streamed } from '../../../platform/handler.ts'
import type { AnalysisService } from './service.ts'

export const analysisEndpoints = (analysis: AnalysisService) =>
  defineHandlers({
    'GET /api/admin/analysis': async ({ caller, query }) => ({
      analysis: await analysis.read(caller, query),
    }),

    'GET /api/admin/analysis.csv': async ({ caller, query }) =>
      new Streamed(await analysis.csv(caller, query), {
        'content-disposition': `attachment; filename="analysis_${query.by}_${query.from}_${query.to}.csv"`,
      }),
  })
