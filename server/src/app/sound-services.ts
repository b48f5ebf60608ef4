import type { Logger } from 'pino'
import type { CallRecords } from '../features/calls/cdr/service.ts'
import { createRecordingBooking } from '../features/calls/recordings/booking.ts'
import { createRecordings } from '../features/calls/recordings/service.ts'
import { createRecordingSettings } from '../features/calls/recordings/settings.ts'
import { createRecordingWriting } from '../features/calls/recordings/writing.ts'
import { createVoicemailMailing } from '../features/calls/voicemail/mailing.ts'
import { createVoicemail } from '../features/calls/voicemail/service.ts'
import { createVoicemailWriting } from '../features/calls/voicemail/writing.ts'
import type { Audit } from '../features/identity/audit/service.ts'
import type { Ledger } from '../features/money/ledger/service.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Mailer } from '../platform/mailer.ts'
import type { SoundFiles } from '../platform/sound-files.ts'

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  jobs: Jobs
  mailer: Mailer
  ledger: Ledger
  audit: Audit
  sounds: SoundFiles
  records: CallRecords
  publicUrl: string
  siteName: string
}

/** Wires voicemail and recordings. */
export function createSoundServices(deps: Deps) {
  const recordingBooking = createRecordingBooking(deps)
  return {
    soundFiles: deps.sounds,
    voicemail: createVoicemail(deps),
    voicemailWriting: createVoicemailWriting(deps),
    voicemailMailing: createVoicemailMailing(deps),
    recordingBooking,
    recordings: createRecordings({ ...deps, booking: recordingBooking }),
    recordingSettings: createRecordingSettings(deps.db, deps.audit),
    recordingWriting: createRecordingWriting(deps),
  }
}
