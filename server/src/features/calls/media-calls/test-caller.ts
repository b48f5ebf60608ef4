import { system } from '@trunkline/domain/access'
import type { Conversation, Endpoint } from '@trunkline/media/endpoint'
import type { Logger } from 'pino'
import { type Clock, earlier, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Timers } from '../../../platform/timers.ts'
import { legUser, mediaAccount, testToken } from '../live-calls/media-address.ts'
import { SWITCH_GONE_AFTER_MS, TAKEN_WITHIN_MS } from '../test-calls/service.ts'
import {
  findSwitchAddress,
  type TakenTestCall,
  type TestCallRow,
  takeTestCall,
  updateTestCall,
} from '../test-calls/store.ts'
import { failureOf } from './legs.ts'
import type { MediaProcess } from './servers-store.ts'
import type { Sounds } from './sounds.ts'
import { readGreeting } from './sounds-store.ts'

type Deps = {
  db: Database
  clock: Clock
  timers: Timers
  logger: Logger
  sounds: Sounds
  endpoint: () => Endpoint
  media: MediaProcess
  password: string
}

const RING_LIMIT_MS = 90 * SECOND
const TALK_LIMIT_MS = 30 * SECOND

/** Places the test calls that customers ask for. Call control admits each of them as a call to the number. */
export function createTestCaller(deps: Deps) {
  const { db, clock, timers, logger, sounds, endpoint, media, password } = deps
  const scope = system('test calls')

  const say = (token: string, state: TestCallRow['state']) =>
    updateTestCall(db, scope, token, { state }).catch((error) =>
      logger.error({ err: error }, 'failed to store the state of a test call'),
    )

  /** Plays the message and hangs up. Resolves at the end of the call. */
  async function talk(conversation: Conversation, userId: number): Promise<void> {
    const ended = Promise.withResolvers<void>()
    conversation.onEnd(() => ended.resolve())
    const stopLimit = timers.after(TALK_LIMIT_MS, () => conversation.hangUp())
    const { language } = await readGreeting(db, userId)
    const message = await sounds.prompt('test_call', language)
    await Promise.race([conversation.play(message ?? sounds.beep).done, ended.promise])
    conversation.hangUp()
    await ended.promise.finally(stopLimit)
  }

  async function call({ token, userId }: TakenTestCall): Promise<TestCallRow['state']> {
    const address = await findSwitchAddress(db, userId, earlier(clock.now(), SWITCH_GONE_AFTER_MS))
    const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(address ?? '') ?? []
    if (!host) return 'failed'
    await sounds.readReplaced()
    const dialed = endpoint().call({
      host,
      port: Number(port),
      user: legUser(testToken(token)),
      username: mediaAccount(media.id),
      password,
    })
    dialed.onRinging(() => void say(token, 'ringing'))
    const stopLimit = timers.after(RING_LIMIT_MS, () => dialed.cancel())
    const result = await dialed.result.finally(stopLimit)
    if (result.type === 'failed') return failureOf(result.code, result.reason).type
    await say(token, 'answered')
    await talk(result.conversation, userId).finally(() => result.conversation.hangUp())
    return 'answered'
  }

  async function run(test: TakenTestCall): Promise<void> {
    const state = await call(test).catch((error): TestCallRow['state'] => {
      logger.error({ err: error }, 'test call failed')
      return 'failed'
    })
    await updateTestCall(db, scope, test.token, { state, ended_at: clock.now() })
  }

  return {
    /** The next test call, and the promise of its end. Null if there is none. */
    async take(): Promise<{ token: string; ended: Promise<void> } | null> {
      const taken = await takeTestCall(db, scope, media, earlier(clock.now(), TAKEN_WITHIN_MS))
      return taken ? { token: taken.token, ended: run(taken) } : null
    },
  }
}
