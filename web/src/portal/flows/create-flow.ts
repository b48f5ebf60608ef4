import type { FlowDetail } from '@trunkline/contract/flows'
import type { Flow } from '@trunkline/domain/flows'
import { api } from '../../app/api.ts'
import type { FlowBody } from './model/file.ts'
import { putFlow } from './queries.ts'

export async function createFlow(name: string, flow: Flow): Promise<FlowDetail> {
  const { flow: created } = await api('POST /api/flows', { body: { name, flow: flow as FlowBody } })
  putFlow(created)
  return created
}
