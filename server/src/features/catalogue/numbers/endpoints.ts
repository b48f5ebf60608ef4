import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { NumberImports } from './import.ts'
import type { Inventory } from './inventory.ts'
import type { Numbers } from './service.ts'
import type { NumberSettingsService } from './settings.ts'

type Services = {
  numbers: Numbers
  inventory: Inventory
  numberImports: NumberImports
  numberSettings: NumberSettingsService
}

export const numberEndpoints = ({ numbers, inventory, numberImports, numberSettings }: Services) =>
  defineHandlers({
    'GET /api/numbers': async ({ caller }) => ({ numbers: await numbers.own(caller) }),

    'GET /api/numbers/available': ({ caller, query }) => numbers.available(caller, query),

    'POST /api/numbers': async ({ caller, body }) => ({ number: await numbers.rent(caller, body) }),

    'PATCH /api/numbers/:id': async ({ caller, params, body }) => ({
      number: await numbers.changePlan(caller, params.id, body),
    }),

    'POST /api/numbers/:id/cancel': async ({ caller, params, body }) => ({
      number: await numbers.setCancels(caller, params.id, body.cancels),
    }),

    'GET /api/admin/numbers': ({ caller, query }) => inventory.list(caller, query),

    'POST /api/admin/numbers': async ({ caller, body }) => ({ number: await inventory.create(caller, body) }),

    'PATCH /api/admin/numbers/:id': async ({ caller, params, body }) => ({
      number: await inventory.update(caller, params.id, body),
    }),

    'DELETE /api/admin/numbers/:id': async ({ caller, params }) => {
      await inventory.remove(caller, params.id)
      return { message: ownMessages.numberDeleted }
    },

    'POST /api/admin/numbers/:id/assign': async ({ caller, params, body }) => ({
      number: await inventory.assign(caller, params.id, body),
    }),

    'POST /api/admin/numbers/:id/release': async ({ caller, params, body }) => ({
      number: await inventory.release(caller, params.id, body.reason),
    }),

    'POST /api/admin/numbers/import/preview': async ({ caller, body }) => ({
      preview: await numberImports.preview(caller, body.csv),
    }),

    'POST /api/admin/numbers/import': ({ caller, body }) =>
      numberImports.run(caller, body.csv, body.request_key),

    'GET /api/admin/numbers/import': async ({ caller, query }) => ({
      progress: await numberImports.progress(caller, query.request_key),
    }),

    'GET /api/admin/number-settings': async ({ caller }) => ({ settings: await numberSettings.show(caller) }),

    'PUT /api/admin/number-settings': async ({ caller, body }) => ({
      settings: await numberSettings.change(caller, body),
    }),
  })
