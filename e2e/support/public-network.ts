import type { APIRequestContext } from '@playwright/test'
import { createPhone, type Phone, type PhoneCall } from '../../sip/test/phone.ts'
import { bearerOf, demo, expect } from './calls.ts'
import type { PortalProcess } from './portal-process.ts'
import type { Person } from './story.ts'

/** Address of the carrier that sends calls. */
export const CARRIER = '127.0.0.30'
let numbers = 0

export type Dialed = PhoneCall

/** A carrier that calls the number of a customer. */
export type PublicNetwork = {
  number: string
  /** The carrier offers its own audio, or what `describe` returns. */
  dial(from?: string, describe?: (host: string) => string): Promise<Dialed>
  close(): void
}

/** Rents a number for this customer, whose calls come from a carrier of our own. The price is in dollars per minute. */
export async function openPublicNetwork(
  request: APIRequestContext,
  portal: PortalProcess,
  customer: Person,
  price = 0,
): Promise<PublicNetwork> {
  const admin = await bearerOf(request, demo.admin)
  const headers = await bearerOf(request, customer)
  const send = async (method: 'post' | 'patch', path: string, data: object) => {
    const answer = await request[method](path, { headers: admin, data })
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
    return answer.json()
  }
  const { trunks } = await (await request.get('/api/trunks', { headers: admin })).json()
  await send('patch', `/api/trunks/${trunks[0].id}`, { incoming_sources: [CARRIER] })
  numbers += 1
  const number = `+4420794602${String(numbers).padStart(2, '0')}`
  const { user } = await (await request.get('/api/auth/me', { headers })).json()
  const added = await send('post', '/api/admin/numbers', { number, monthly: 1, price })
  const assigned = { user_id: user.id, charge: false, request_key: `story-${customer.username}` }
  await send('post', `/api/admin/numbers/${added.number.id}/assign`, assigned)
  const phones: Phone[] = []
  return {
    number,
    async dial(from = '"Paula" <sip:+33140506070@carrier.example>', describe) {
      const phone = await createPhone({ switchPort: portal.sipPort, from: CARRIER })
      phones.push(phone)
      const tag = Math.random().toString(36).slice(2)
      return phone.call(number.slice(1), [['From', `${from};tag=${tag}`]], describe)
    },
    close() {
      for (const phone of phones) phone.close()
    },
  }
}
