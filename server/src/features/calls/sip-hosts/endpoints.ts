import { messages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { SipHosts } from './service.ts'

export const sipHostEndpoints = (hosts: SipHosts) =>
  defineHandlers({
    'GET /api/admin/websiteip': async ({ caller }) => ({ websiteip: await hosts.websiteIpOfService(caller) }),

    'POST /api/admin/websiteip': async ({ caller, body }) => ({
      websiteip: await hosts.setWebsiteIp(caller, body),
      message: messages.websiteIpUpdated,
    }),
  })
