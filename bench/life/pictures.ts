import { setTimeout as pause } from 'node:timers/promises'
import type { LiveCallView } from '@trunkline/contract/live-calls'
import type { Verdict } from './records.ts'
import { EVERYBODYS, type LiveStream } from './stream.ts'

/** Maximum number of comparisons, because calls change between the two reads. */
const TRIES = 15
const BETWEEN_TRIES_MS = 200
const AT_ONCE = 20

/** Checks that each stream's live calls match the API's list. */
export async function comparePictures(what: string, streams: readonly LiveStream[]): Promise<Verdict> {
  const faults: string[] = []
  let calls = 0
  let next = 0
  const work = async () => {
    for (let stream = streams[next++]; stream; stream = streams[next++]) {
      const difference = await differenceOf(stream)
      calls += stream.picture.size
      if (difference !== null) faults.push(`${stream.person.username}: ${difference}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { what, of: `${streams.length} streams, ${calls.toLocaleString('en')} calls shown`, faults }
}

async function differenceOf({ person, path, picture }: LiveStream): Promise<string | null> {
  let difference: string | null = null
  for (let tries = 0; tries < TRIES; tries++, await pause(BETWEEN_TRIES_MS)) {
    const answer = await (path === EVERYBODYS
      ? person.call('GET /api/admin/live-calls')
      : person.call('GET /api/live-calls-details'))
    if (!answer) return 'the list could not be read'
    const listed = textOf(answer.liveCallsDetails.map(({ uniqueid, state }) => [uniqueid, state]))
    const shown = textOf([...picture])
    if (listed === shown) return null
    difference = `shows ${shown}, listed are ${listed}`.slice(0, 500)
  }
  return difference
}

const textOf = (calls: readonly (readonly [id: string, state: LiveCallView['state']])[]): string =>
  calls
    .map(([id, state]) => `${id} ${state}`)
    .sort()
    .join(', ')
