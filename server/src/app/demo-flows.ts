import { system } from '@trunkline/domain/access'
import { type FlowTemplate, flowTemplates } from '@trunkline/domain/flows'
import { insertFlow, insertVersion, listFlows, updateFlow } from '../features/catalogue/flows/store.ts'
import { lockRentalOfNumber, updateRental } from '../features/catalogue/numbers/rentals-store.ts'
import { listNumbersByDigits } from '../features/catalogue/numbers/store.ts'
import { findUserByName } from '../features/identity/users/store.ts'
import type { Database } from '../platform/database.ts'
import { newToken } from '../platform/tokens.ts'

const scope = system('demo')

const OWNER = 'alice'
const NUMBER = '442079460120'
const TIME_ZONE = 'Europe/London'

const templateOf = (id: FlowTemplate['id']): FlowTemplate => {
  const found = flowTemplates.find((template) => template.id === id)
  if (!found) throw new Error(`there is no template ${id}`)
  return found
}

/** Gives one customer a published flow on one of the demo numbers, one with a queue, and a draft. */
export async function fillFlows(tx: Database, now: Date): Promise<void> {
  const user = await findUserByName(tx, scope, OWNER)
  const [number] = await listNumbersByDigits(tx, scope, [NUMBER])
  if (!user || (await listFlows(tx, scope)).length > 0) return
  const add = (name: string, id: FlowTemplate['id']) =>
    insertFlow(tx, {
      user_id: user.id,
      name,
      draft: JSON.stringify(templateOf(id).flow(TIME_ZONE)),
      secret: newToken(),
      created_at: now,
      updated_at: now,
    })
  const publish = async (name: string, id: FlowTemplate['id']): Promise<number> => {
    const flowId = await add(name, id)
    const published = await insertVersion(tx, {
      flowId,
      flow: templateOf(id).flow(TIME_ZONE),
      note: 'First version',
      publishedAt: now,
      publishedBy: user.id,
    })
    await updateFlow(tx, scope, flowId, { published_version: published })
    return flowId
  }
  await add('Weekend', 'opening_hours')
  await publish('Support line', 'queue')
  const flowId = await publish('Reception', 'reception')
  const rental = number && (await lockRentalOfNumber(tx, scope, number.id))
  if (rental?.user_id !== user.id) return
  const ringPlan = { ...rental.ring_plan, destination: { kind: 'flow' as const, flowId }, fallback: null }
  await updateRental(tx, scope, rental.id, { ring_plan: JSON.stringify(ringPlan) })
}
