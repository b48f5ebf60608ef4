import { z } from 'zod'
import { Moment } from './cdr.ts'
import type { Endpoints } from './endpoint.ts'

/** Averages cover measured calls. Each call counts with the side that heard worse. Null without measured calls. */
const figures = {
  calls: z.int(),
  completed: z.int(),
  /** Percentage of completed calls. Null without calls. */
  answer_rate: z.number().nullable(),
  /** Seconds per completed call. Null without completed calls. */
  average_duration: z.number().nullable(),
  /** Calls with a measured MOS. */
  measured: z.int(),
  /** Mean opinion score, 1 to 5. */
  mos: z.number().nullable(),
  /** Measured calls with a MOS below 3.6, and their percentage. */
  poor: z.int(),
  poor_share: z.number().nullable(),
  loss_percent: z.number().nullable(),
  jitter_ms: z.number().nullable(),
}

export const CallQuality = z.object({
  all: z.object(figures),
  /** Most calls first. The country is null for calls to an unknown country. */
  countries: z.array(z.object({ country: z.string().nullable(), ...figures })),
})
export type CallQuality = z.output<typeof CallQuality>

export const callQuality = {
  'GET /api/cdr/quality': {
    access: 'user',
    summary: 'Get the speech quality, answer rate and average length of your calls by country',
    query: z.strictObject({ from: Moment.optional(), to: Moment.optional() }),
    answer: z.object({ quality: CallQuality }),
  },
} as const satisfies Endpoints
