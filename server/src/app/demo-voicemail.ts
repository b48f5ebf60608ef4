import { system } from '@trunkline/domain/access'
import { createAudio } from '../adapters/audio.ts'
import { createVoicemailWriting } from '../features/calls/voicemail/writing.ts'
import { saveSetting } from '../features/identity/service-settings/store.ts'
import { findUserByName } from '../features/identity/users/store.ts'
import type { Audio } from '../platform/audio.ts'
import { type Clock, earlier, HOUR } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { SoundFiles } from '../platform/sound-files.ts'

/** Messages in the mailboxes of the demo, oldest first. */
const messages = [
  {
    username: 'alice',
    number: '442079460120',
    caller: '442079460958',
    hoursAgo: 26.4,
    text: 'Hello Alice, this is Harbor Dental. Your appointment is on Thursday at ten. Please call us back if you cannot come.',
  },
  {
    username: 'alice',
    number: '442079460120',
    caller: '12125550187',
    hoursAgo: 3.2,
    text: 'Hi, this is Sam from New York. I have two questions about the invoice of last month. You can reach me until six.',
  },
  {
    username: 'paula',
    number: '442079460121',
    caller: '493023125007',
    hoursAgo: 20.6,
    text: 'Good morning Paula, the new phones have arrived. Please tell me when we can install them.',
  },
] as const

const SETTING = 'demo_voicemail'

type Deps = { db: Database; soundFiles: SoundFiles; jobs: Pick<Jobs, 'send'> }

/** Leaves spoken messages once. Without a voice on this machine there are none. */
export async function fillVoicemail(
  { db, soundFiles, jobs }: Deps,
  clock: Clock,
  speak: Audio['speak'] = createAudio().speak,
): Promise<void> {
  const scope = system('demo')
  const now = clock.now()
  const users = new Map<string, { id: number }>()
  for (const { username } of messages) {
    const user = await findUserByName(db, scope, username)
    if (user) users.set(username, user)
  }
  // Another process may not have created the accounts yet.
  if (users.size === 0 || !(await saveSetting(db, SETTING, 'filled', now))) return
  for (const [index, { username, text, number, caller, hoursAgo }] of messages.entries()) {
    const user = users.get(username)
    const sound = user && (await speak(text, 'en'))
    if (!user || !sound) continue
    const at = earlier(now, hoursAgo * HOUR)
    const writing = createVoicemailWriting({ db, clock: { now: () => at }, sounds: soundFiles, jobs })
    const message = await writing.begin({
      userId: user.id,
      callId: `demo-voicemail/${index + 1}`,
      number,
      caller,
      callerName: '',
      mediaId: 'demo',
    })
    message.append(sound.alaw)
    await message.finish()
  }
}
