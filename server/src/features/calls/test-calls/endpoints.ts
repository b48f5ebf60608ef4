import type { HandlersOf } from '../../../platform/handler.ts'
import type { TestCalls } from './service.ts'

type Addresses = 'POST /api/numbers/:id/test-calls' | 'GET /api/numbers/:id/test-calls'

export const testCallEndpoints = (testCalls: TestCalls): HandlersOf<Addresses> => ({
  'POST /api/numbers/:id/test-calls': async ({ caller, params }) => ({
    test_call: await testCalls.start(caller, params.id),
  }),

  'GET /api/numbers/:id/test-calls': async ({ caller, params }) => ({
    test_call: await testCalls.last(caller, params.id),
  }),
})
