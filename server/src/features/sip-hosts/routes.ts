import { messages } from '@trunkline/contract/messages'
import type { HandlersOf } from '../../platform/handler.ts'
import type { SipHosts } from './service.ts'

type Addresses = 'POST /api/user/host' | 'GET /api/admin/websiteip' | 'POST /api/admin/websiteip'

export const sipHostRoutes = (hosts: SipHosts): HandlersOf<Addresses> => ({
  'POST /api/user/host': async ({ caller, body }) => ({
    host: await hosts.setOwnHost(caller, body.host),
    message: messages.hostUpdated,
  }),

  'GET /api/admin/websiteip': async ({ caller }) => ({ websiteip: await hosts.websiteIpOfService(caller) }),

  'POST /api/admin/websiteip': async ({ caller, body }) => ({
    websiteip: await hosts.setWebsiteIp(caller, body),
    message: messages.websiteIpUpdated,
  }),
})
