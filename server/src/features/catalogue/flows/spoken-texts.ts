import { type Flow, type Sound, variablesIn } from '@trunkline/domain/flows'
import { type Clock, SECOND } from '../../../platform/clock.ts'
import type { Speech } from '../sounds/speech.ts'

type Text = Extract<Sound, { kind: 'text' }>

/** Texts that were not spoken by then, or exceed the hourly limit, are spoken for the first caller. */
const MAX_MS = 8 * SECOND

const isText = (value: unknown): value is Text =>
  typeof value === 'object' && value !== null && (value as Partial<Sound>).kind === 'text'

/** Texts without variables that have something to say. */
const textsOf = ({ steps }: Flow): Text[] =>
  steps
    .flatMap((step) => Object.values(step).filter(isText))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text) && variablesIn(text).length === 0)

type Deps = {
  speech: Pick<Speech, 'say' | 'isKept'>
  clock: Clock
  /** Counts a text that was never spoken before. False if the customer's hourly limit is reached. */
  takeAttempt: () => Promise<boolean>
}

/** Speaks the texts of a flow, so that the first caller does not wait. False if this server has no voice. */
export async function speakTexts(flow: Flow, { speech, clock, takeAttempt }: Deps): Promise<boolean> {
  const ends = clock.now().getTime() + MAX_MS
  for (const { text, language } of textsOf(flow)) {
    if (clock.now().getTime() > ends) break
    if (!(await speech.isKept(text, language)) && !(await takeAttempt())) break
    if ((await speech.say(text, language)) === null) return false
  }
  return true
}
