import type { DialedCall } from './caller.ts'

type Result = { tone: 'good' | 'wait' | 'bad'; word: string; detail: string }

const BUSY: Result = { tone: 'bad', word: 'Busy', detail: 'The number is busy.' }
const NO_ANSWER: Result = {
  tone: 'bad',
  word: 'No answer',
  detail: 'Nobody answered, no phone of the owner is connected, or the owner has no balance.',
}

/** By SIP code, for calls that nobody answered. */
const results: Record<number, Result | undefined> = {
  404: { tone: 'bad', word: 'Not in service', detail: 'Nobody rents this number.' },
  408: NO_ANSWER,
  480: NO_ANSWER,
  486: BUSY,
  487: { tone: 'wait', word: 'Canceled', detail: 'The caller hung up before an answer.' },
  600: BUSY,
  603: { tone: 'bad', word: 'Declined', detail: 'The called party declined the call.' },
}

/** How an ended call went, as a caller would say it. */
export function resultOf({ answeredAt, code, outcome }: DialedCall): Result {
  if (answeredAt !== null) return { tone: 'good', word: 'Answered', detail: `${outcome}.` }
  return results[code ?? 0] ?? { tone: 'bad', word: 'Failed', detail: `The provider replied ${outcome}.` }
}
