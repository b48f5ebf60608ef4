import type { HandlersOf } from '../../../platform/handler.ts'
import type { Phones } from './service.ts'

export const phoneEndpoints = (phones: Phones): HandlersOf<'POST /api/phone'> => ({
  'POST /api/phone': ({ caller, token, body }) => phones.open(caller, token, body.take_over),
})
