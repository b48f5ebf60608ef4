import { defineHandlers } from '../../../platform/handler.ts'
import type { Phones } from './service.ts'

export const phoneEndpoints = (phones: Phones) =>
  defineHandlers({
    'POST /api/phone': ({ caller, token, body }) => phones.open(caller, token, body),
    'GET /api/phone/relays': async ({ caller }) => phones.relays(caller),
  })
