import type { Flow } from './flow.ts'

/** The format of exported flows: docs/flows.md. */

const FORMAT = 'trunkline-flow'
const VERSION = 1

export type NamedFlow = { readonly name: string; readonly flow: Flow }

export const exportFlow = ({ name, flow: { start, steps } }: NamedFlow): string =>
  `${JSON.stringify({ format: FORMAT, version: VERSION, name, start, steps }, null, 2)}\n`

export type ImportFault = 'not_json' | 'not_a_flow' | 'newer_version'

/** Checks the format only. The server checks the steps when the flow is saved. */
export function importFlow(text: string): NamedFlow | ImportFault {
  const file = parse(text)
  if (file === undefined) return 'not_json'
  const { format, version, name, start, steps } = (file ?? {}) as Record<string, unknown>
  if (format !== FORMAT || typeof start !== 'string' || !Array.isArray(steps)) return 'not_a_flow'
  if (version !== VERSION) return 'newer_version'
  return { name: typeof name === 'string' ? name : '', flow: { start, steps } }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
