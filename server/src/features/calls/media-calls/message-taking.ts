import type { MessageWriter, VoicemailWriting } from '../voicemail/writing.ts'
import type { CallFacts } from './calls-store.ts'
import { followMessage, MIN_MESSAGE_SECONDS } from './message.ts'
import type { Taps } from './taps.ts'

type Deps = { writing: Pick<VoicemailWriting, 'begin'>; mediaId: string }

export type MessageInProgress = {
  /** Length of the message; 0 if nothing was said and it was dropped. */
  readonly done: Promise<number>
  stop(): void
}

/** Records a message into a file that a killed process leaves readable. */
export function takeMessage(
  { writing, mediaId }: Deps,
  { call, taps, maxSeconds }: { call: CallFacts; taps: Taps; maxSeconds: number },
): MessageInProgress {
  const ended = Promise.withResolvers<void>()
  const followed = followMessage(maxSeconds, ended.resolve)
  /** Sound that arrives before the file is open. */
  const early: Uint8Array[] = []
  let writer: MessageWriter | null = null
  const untap = taps.heard((packet) => {
    if (writer) writer.append(packet)
    else early.push(packet.slice())
    followed.sink(packet)
  })

  async function record(): Promise<number> {
    const { userId, callId, called: number, caller, callerName } = call
    const begun = await writing.begin({ userId, callId, number, caller, callerName, mediaId })
    for (const packet of early.splice(0)) begun.append(packet)
    writer = begun
    await ended.promise
    untap()
    if (followed.spokenSeconds() < MIN_MESSAGE_SECONDS) {
      await begun.discard()
      return 0
    }
    await begun.finish()
    return followed.seconds()
  }

  return { done: record().finally(untap), stop: ended.resolve }
}
