import { messages } from '@trunkline/contract/messages'
import type { HandlersOf } from '../../../platform/handler.ts'
import type { SipHosts } from './service.ts'

type Addresses = 'GET /api/admin/websiteip' | 'POST /api/admin/websiteip'

export const sipHostEndpoints = (hosts: SipHosts): HandlersOf<Addresses> => ({
  'GET /api/admin/websiteip': async ({ caller }) => ({ websiteip: await hosts.websiteIpOfService(caller) }),

  'POST /api/admin/websiteip': async ({ caller, body }) => ({
    websiteip: await hosts.setWebsiteIp(caller, body),
    message: messages.websiteIpUpdated,
  }),
})
