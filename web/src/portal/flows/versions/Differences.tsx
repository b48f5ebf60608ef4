import type { Flow } from '@trunkline/domain/flows'
export const Differences = (_: { from: Flow; to: Flow }) => null
