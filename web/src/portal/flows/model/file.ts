import type { RequestOf } from '@trunkline/contract'
import { FLOW_NAME_MAX } from '@trunkline/contract/limits'
import { type ImportFault, importFlow, type NamedFlow } from '@trunkline/domain/flows'

/** A flow as requests need it. The type of the domain is read-only. */
export type FlowBody = RequestOf<'POST /api/flows'>['body']['flow']

const faults: Record<ImportFault, string> = {
  not_json: 'This file is not JSON. Choose a file that was exported from a flow.',
  not_a_flow: 'This file has no flow. Choose a file that was exported from a flow.',
  newer_version: 'This file was exported by a newer version of the portal.',
}

/** Reads an exported file. Returns a sentence if it has no flow. */
export function readFlowFile(text: string, fileName: string): NamedFlow | string {
  const read = importFlow(text)
  if (typeof read === 'string') return faults[read]
  const name = read.name.trim() || fileName.replace(/\.[^.]+$/, '').trim()
  return { name: name.slice(0, FLOW_NAME_MAX) || 'Imported flow', flow: read.flow }
}

/** `main-line.json` */
export const fileNameOf = (name: string): string =>
  `${
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'flow'
  }.json`
