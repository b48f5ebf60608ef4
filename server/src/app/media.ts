import { encode } from '@trunkline/media/encode'
import { connectRtpengine } from '@trunkline/media/rtpengine/client'
import { startEndpoint } from '@trunkline/media/start-endpoint'
import { beep, ringback } from '@trunkline/media/tones'
import type { Logger } from 'pino'
import { createAudio } from '../adapters/audio.ts'
import { createHostAddresses } from '../adapters/host-addresses.ts'
import { createWebRequests } from '../adapters/web-requests.ts'
import { type MediaCalls, startMediaCalls } from '../features/calls/media-calls/service.ts'
import type { Recordings } from '../features/calls/recordings/service.ts'
import type { Voicemail } from '../features/calls/voicemail/service.ts'
import type { Speech } from '../features/catalogue/sounds/speech.ts'
import { createAttemptLimits } from '../features/identity/attempts/service.ts'
import type { Ledger } from '../features/money/ledger/service.ts'
import { parseHostPort } from '../platform/address.ts'
import { type Clock, MINUTE, SECOND } from '../platform/clock.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import { every } from '../platform/every.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Metrics } from '../platform/metrics.ts'
import { systemTimers } from '../platform/timers.ts'
import { type Config, ConfigError } from './config.ts'
import { createSounds } from './sounds.ts'
import { findSwitchAddresses } from './switch-addresses.ts'

export type RunningMedia = { db: Database; calls: MediaCalls; close(): Promise<void> }

type Deps = {
  clock: Clock
  logger: Logger
  metrics: Metrics
  jobs: Pick<Jobs, 'send'>
  ledger: Pick<Ledger, 'within'>
  speech: Pick<Speech, 'say'>
  voicemail: Pick<Voicemail, 'moveToStore'>
  recordings: Pick<Recordings, 'moveToStore'>
}

/** Other machines read finished sounds from the object store, so they are moved at once. After a failure, a minute later. */
function moveOften(move: () => Promise<boolean>, onError: (error: unknown) => void) {
  let notBefore = 0
  const step = async () => {
    if (systemTimers.elapsedMs() < notBefore || (await move())) return
    notBefore = systemTimers.elapsedMs() + MINUTE
  }
  return every(SECOND, step, onError)
}

/** A switch that connects for the first time waits this long for its first calls to media. */
const REFRESH_MS = 10 * SECOND

const LATENESS_BOUNDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2]

/** Starts the media process: a SIP endpoint that runs the flows of calls. It has its own database pool. */
export async function startMedia(
  config: Config,
  { clock, logger, metrics, jobs, ledger, speech, voicemail, recordings }: Deps,
): Promise<RunningMedia> {
  const { media } = config
  if (config.sounds.folder === null)
    throw new ConfigError(
      'These settings need attention:\n  SOUND_FOLDER is missing: media processes write voicemail and recordings to it',
    )
  const db = openDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePool,
    onError: (error) => logger.warn({ err: error }, 'media database connection lost'),
  })
  const rtpengines = await Promise.all(
    media.rtpengines
      .flatMap((address) => parseHostPort(address) ?? [])
      .map((target) => connectRtpengine(target)),
  )
  const hosts = createHostAddresses()
  let allowed = await findSwitchAddresses({ db, clock, hosts }, media.switches)
  const refresh = async () => {
    allowed = await findSwitchAddresses({ db, clock, hosts }, media.switches)
  }
  const failed = (error: unknown) => logger.warn({ err: error }, 'media endpoint error')
  const refreshing = every(REFRESH_MS, refresh, failed)
  const lateness = metrics.histogram({
    name: 'trunkline_media_lateness_seconds',
    help: 'Delay of the audio packets that media sends.',
    bounds: LATENESS_BOUNDS,
  })
  const calls = await startMediaCalls({
    db,
    databaseUrl: config.databaseUrl,
    clock,
    timers: systemTimers,
    logger,
    metrics,
    files: createSounds(config.sounds),
    web: createWebRequests({
      allowsPrivate: media.asksPrivateAddresses,
      isOwn: (address) => allowed.has(address),
    }),
    jobs,
    ledger,
    attempts: createAttemptLimits(db, clock),
    beep: encode(beep()),
    ringback: encode(ringback()),
    audio: createAudio(),
    say: speech.say,
    startEndpoint: (onCall) =>
      startEndpoint({
        host: media.host,
        port: media.port,
        advertisedHost: media.advertisedHost,
        isAllowed: (address) => allowed.has(address),
        onCall,
        onLateness: (lateMs) => lateness.observe(lateMs / SECOND),
        onError: failed,
      }),
    rtpengines,
    settings: { name: media.name, host: media.advertisedHost, leaveWithinMs: media.stopWithinMs },
  }).catch(async (error) => {
    refreshing.stop()
    for (const rtpengine of rtpengines) rtpengine.close()
    await db.destroy()
    throw error
  })
  const moveSounds = async (): Promise<boolean> => {
    const isComplete = await voicemail.moveToStore(media.name)
    return (await recordings.moveToStore(media.name)) && isComplete
  }
  const moving = config.sounds.s3 && moveOften(moveSounds, failed)
  return {
    db,
    calls,
    async close() {
      await calls.close()
      moving?.stop()
      if (moving) await moveSounds().catch(failed)
      refreshing.stop()
      for (const rtpengine of rtpengines) rtpengine.close()
      await db.destroy()
    },
  }
}
