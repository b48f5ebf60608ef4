import { defineHandlers } from '../../../platform/handler.ts'
import type { Registrations } from './service.ts'

export const registrationEndpoints = (registrations: Registrations) =>
  defineHandlers({
    'GET /api/registrations': async ({ caller }) => ({ registrations: await registrations.own(caller) }),

    'GET /api/admin/switches': async ({ caller }) => ({ switches: await registrations.switches(caller) }),
  })
