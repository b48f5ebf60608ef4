import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { TrunkQualityService } from './service.ts'

export const trunkQualityEndpoints = (quality: TrunkQualityService) =>
  defineHandlers({
    'POST /api/admin/routing-rules/:id/return': async ({ caller, params, body }) => {
      await quality.returnNow(caller, params.id, body.trunk_id)
      return { message: ownMessages.trunkReturned }
    },
  })
