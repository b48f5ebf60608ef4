import { defineHandlers } from '../../../platform/handler.ts'
import type { TestCalls } from './service.ts'

export const testCallEndpoints = (testCalls: TestCalls) =>
  defineHandlers({
    'POST /api/numbers/:id/test-calls': async ({ caller, params }) => ({
      test_call: await testCalls.start(caller, params.id),
    }),

    'GET /api/numbers/:id/test-calls': async ({ caller, params }) => ({
      test_call: await testCalls.last(caller, params.id),
    }),
  })
