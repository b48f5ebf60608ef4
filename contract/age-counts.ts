import { z } from 'zod'
import { ageBands } from './ages.ts'

export const AgeBand = z.enum(ageBands)

/** Open items by the time they have waited. */
export const AgeCounts = z.object({
  under_4h: z.int(),
  '4h_to_1d': z.int(),
  '1d_to_3d': z.int(),
  over_3d: z.int(),
})
export type AgeCounts = z.output<typeof AgeCounts>
