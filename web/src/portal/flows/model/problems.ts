import type { Flow } from '@trunkline/domain/flows'

/** A problem that prevents publishing. `stepId` is null if it concerns the whole flow. */
export type Problem = { stepId: string | null; text: string }

export const findProblems = (_flow: Flow): readonly Problem[] => []
