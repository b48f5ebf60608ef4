import { ownDataOf } from '@trunkline/domain/access'
import type { Language } from '@trunkline/domain/flows'
import type { PromptName } from '@trunkline/domain/prompts'
import type { Conversation, Encoded } from '@trunkline/media/endpoint'
import { ALAW_TO_ULAW } from '@trunkline/media/g711'
import type { Logger } from 'pino'
import type { SoundFiles } from '../../../platform/sound-files.ts'
import type { Timers } from '../../../platform/timers.ts'
import { removeVoicemails } from '../voicemail/service.ts'
import { markVoicemails } from '../voicemail/store.ts'
import { createKeypad, HungUp } from './keypad.ts'
import { listMailbox, type MailboxMessage } from './mailbox-store.ts'
import { type PhoneRecordingDeps, recordByPhone } from './phone-recording.ts'

type Deps = PhoneRecordingDeps & { timers: Timers; logger: Logger; files: SoundFiles }

const KEY_SECONDS = 5

const encodedOf = (alaw: Uint8Array): Encoded => ({
  alaw,
  ulaw: alaw.map((byte) => ALAW_TO_ULAW[byte] ?? 0xff),
})

/** The customer listens to messages: 1 repeats, 2 is the next one, 3 deletes, 8 records a sound, 9 the greeting, * ends. */
export async function runMailbox(
  deps: Deps,
  { userId, language, conversation }: { userId: number; language: Language; conversation: Conversation },
): Promise<void> {
  const { db, files, sounds } = deps
  const owner = ownDataOf({ userId, isAdmin: false })
  const keypad = createKeypad(conversation, deps.timers)
  const say = async (name: PromptName) => keypad.play(await sounds.prompt(name, language))

  async function record(key: string | null): Promise<void> {
    const kind = key === '8' ? 'sound' : key === '9' ? 'greeting' : null
    if (kind) await recordByPhone(deps, keypad, kind, { userId, language, conversation })
  }

  /** Returns the key that ends it. */
  async function playMessage({ id, stored }: MailboxMessage): Promise<string | null> {
    const sound = await files.read(stored).catch(() => null)
    if (!sound) return null
    const key = await keypad.play(encodedOf(sound.samples))
    await markVoicemails(db, owner, [id], 'read')
    return key ?? (await say('mailbox_keys')) ?? keypad.wait(KEY_SECONDS)
  }

  /** False if the message stays, because its file could not be deleted. The customer hears the next one. */
  async function remove({ id }: MailboxMessage): Promise<boolean> {
    try {
      await removeVoicemails({ db, sounds: files }, owner, [id])
      return true
    } catch (error) {
      deps.logger.error({ err: error, message: id }, 'failed to delete a voicemail message')
      return false
    }
  }

  /** False if the customer wants to end the call. */
  async function handleMessage(message: MailboxMessage, firstKey: string | null): Promise<boolean> {
    let key = firstKey ?? '1'
    for (;;) {
      if (key === '*') return false
      if (key === '2') return true
      if (key === '3') {
        if (await remove(message)) await say('deleted')
        return true
      }
      await record(key)
      key = (await playMessage(message)) ?? '2'
    }
  }

  function beginning(count: number, newCount: number): Promise<Encoded | null> {
    if (count === 0) return sounds.prompt('no_messages', language)
    if (newCount === 1) return sounds.prompt('one_new_message', language)
    return sounds.sentence('new_messages', newCount, language)
  }

  async function listenToAll(): Promise<void> {
    const messages = await listMailbox(db, userId)
    const newCount = messages.filter(({ isNew }) => isNew).length
    let key = await keypad.play(await beginning(messages.length, newCount))
    for (const message of messages) {
      if (!(await handleMessage(message, key))) return
      key = null
    }
    if (messages.length > 0) key = await say('end_of_messages')
    await record(key ?? (await keypad.wait(KEY_SECONDS)))
  }

  try {
    await listenToAll()
  } catch (error) {
    if (!(error instanceof HungUp)) throw error
  } finally {
    conversation.hangUp()
  }
}
