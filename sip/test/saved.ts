import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { eventually } from './eventually.ts'

/** What survives a kill of Kamailio. It writes to its database a moment after it has processed a message. */
export type Saved = {
  /** Covered seconds by call, also of the outer legs. */
  calls: Map<string, number>
  /** Names of the calls with events that call control has not acknowledged. */
  events: string[]
  /** Accounts with saved registrations, one for each phone. */
  phones: string[]
}

/** Processed messages are in the database after this time. */
const SAVED_WITHIN_MS = 2_000

export const untilSaved = (
  runFolder: string,
  what: string,
  condition: (saved: Saved) => boolean,
  withinMs = SAVED_WITHIN_MS,
): Promise<boolean> =>
  eventually(() => condition(readSaved(runFolder)), `${what} in the database of the switch`, withinMs)

export function readSaved(runFolder: string): Saved {
  const database = new DatabaseSync(join(runFolder, 'switch.db'), { readOnly: true })
  try {
    const calls = database.prepare(
      'select call, covered from call union all select call, covered from outer_leg',
    )
    const events = database.prepare('select key_value from kept_events')
    const phones = database.prepare('select cast(user as text) as user from registration order by user')
    return {
      phones: phones.all().map(({ user }) => String(user)),
      calls: new Map(calls.all().map(({ call, covered }) => [String(call), Number(covered)])),
      // The value starts with a time and a flag; see sip/route/events.cfg.
      events: events
        .all()
        .map(({ key_value: value }) => JSON.parse(String(value).replace(/^\d+,\d,/, '')).call),
    }
  } finally {
    database.close()
  }
}
