import { Refusal } from '@trunkline/contract/errors'
import type { TrunkTest } from '@trunkline/contract/trunks'
import { type Caller, requireAdmin } from '@trunkline/domain/access'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { listen } from '../../../platform/listen.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { Timers } from '../../../platform/timers.ts'
import { newToken } from '../../../platform/tokens.ts'
import { findTrunk } from './store.ts'
import { notifyOfTest } from './tests-store.ts'

/** Channels for requests of the portal and answers of call control, which can run on different machines. */
export const TEST_CHANNEL = 'trunk_test'
const TESTED_CHANNEL = 'trunk_tested'

const asked = z.object({ request: z.string(), trunk: z.int() })
const testMessage = z.union([
  /** Number of switches that one call control process asked. */
  z.object({ request: z.string(), asked: z.int() }),
  z.object({ request: z.string(), switch: z.string(), code: z.int(), ms: z.int() }),
])
type TestMessage = z.output<typeof testMessage>

/** Above the timeout of the switch, which is five seconds. */
const ANSWER_WITHIN_MS = 8_000
/** Waits for other call control processes, which can have a switch. */
const NOBODY_AFTER_MS = 500

export type TrunkTests = ReturnType<typeof createTrunkTests>

export const readTestRequest = (payload: string): z.output<typeof asked> => asked.parse(JSON.parse(payload))

/** Pings a carrier from a switch. */
export function createTrunkTests(deps: { db: Database; databaseUrl: string; clock: Clock; timers: Timers }) {
  const { db, databaseUrl, clock, timers } = deps

  return {
    async test(caller: Caller, id: number): Promise<TrunkTest> {
      requireAdmin(caller)
      requireFound(await findTrunk(db, id, clock.now()))
      const request = newToken()
      const { promise, resolve, reject } = Promise.withResolvers<TrunkTest>()
      const giveUp = () => reject(new Refusal('no_switch'))
      let stop = timers.after(ANSWER_WITHIN_MS, giveUp)
      let isAsked = false
      const receive = (message: TestMessage) => {
        if (message.request !== request) return
        if ('code' in message) resolve({ switch: message.switch, code: message.code, ms: message.ms })
        else if (message.asked > 0) {
          isAsked = true
          stop()
          stop = timers.after(ANSWER_WITHIN_MS, giveUp)
        } else if (!isAsked) {
          stop()
          stop = timers.after(NOBODY_AFTER_MS, giveUp)
        }
      }
      const listener = listen({
        url: databaseUrl,
        channels: { [TESTED_CHANNEL]: (payload) => receive(testMessage.parse(JSON.parse(payload))) },
        onListening: () =>
          notifyOfTest(db, TEST_CHANNEL, JSON.stringify({ request, trunk: id })).catch(reject),
        onError: reject,
      })
      try {
        return await promise
      } finally {
        stop()
        await listener.close()
      }
    },

    /** Called by call control. */
    reply: (message: TestMessage): Promise<void> => notifyOfTest(db, TESTED_CHANNEL, JSON.stringify(message)),
  }
}
