import type { RequestOf } from '@trunkline/contract'
import { FLOW_NAME_MAX } from '@trunkline/contract/limits'
import type { Flow } from '@trunkline/domain/flows'

/** A flow as requests need it. The type of the domain is read-only. */
export type FlowBody = RequestOf<'POST /api/flows'>['body']['flow']

/** An exported flow. The server checks its steps. */
type FlowFile = { name: string; flow: Flow }

export const writeFlowFile = ({ name, flow }: FlowFile): string =>
  `${JSON.stringify({ name, flow }, null, 2)}\n`

/** Reads an exported file. Also accepts the flow alone. Returns a sentence if it is no flow. */
export function readFlowFile(text: string, fileName: string): FlowFile | string {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return 'This file is not JSON. Choose a file that was exported from a flow.'
  }
  const { name, flow = content } = (content ?? {}) as Partial<Record<'name' | 'flow', unknown>>
  if (!isFlow(flow)) return 'This file has no flow. Choose a file that was exported from a flow.'
  const given = typeof name === 'string' ? name : fileName.replace(/\.[^.]+$/, '')
  return { name: given.trim().slice(0, FLOW_NAME_MAX) || 'Imported flow', flow }
}

function isFlow(value: unknown): value is Flow {
  const { start, steps } = (value ?? {}) as Partial<Record<keyof Flow, unknown>>
  return typeof start === 'string' && Array.isArray(steps)
}

/** `main-line.json` */
export const fileNameOf = (name: string): string =>
  `${
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'flow'
  }.json`
