import type { HandlersOf } from '../../../platform/handler.ts'
import type { Registrations } from './service.ts'

type Addresses = 'GET /api/registrations' | 'GET /api/admin/switches'

export const registrationEndpoints = (registrations: Registrations): HandlersOf<Addresses> => ({
  'GET /api/registrations': async ({ caller }) => ({ registrations: await registrations.own(caller) }),

  'GET /api/admin/switches': async ({ caller }) => ({ switches: await registrations.switches(caller) }),
})
