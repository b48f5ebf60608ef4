import type { ContactRequest } from '@trunkline/contract/contact'
import { type Clock, HOUR } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { AttemptLimits } from '../../identity/attempts/service.ts'
import { insertContactRequest } from './store.ts'

const MAX_PER_HOUR = 10

export type Contact = ReturnType<typeof createContact>

export function createContact(db: Database, clock: Clock, attempts: AttemptLimits) {
  return {
    async receive(request: ContactRequest, address: string): Promise<void> {
      const limit = { key: `contact ${address}`, max: MAX_PER_HOUR, windowMs: HOUR }
      await attempts.require([limit])
      await insertContactRequest(db, request, address, clock.now())
    },
  }
}
