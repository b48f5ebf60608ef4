import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { RecordingBooking } from './booking.ts'
import type { Recordings } from './service.ts'
import type { RecordingSettingsService } from './settings.ts'

type Services = {
  recordings: Recordings
  recordingSettings: RecordingSettingsService
  recordingBooking: RecordingBooking
}

export const recordingEndpoints = ({
  recordings,
  recordingSettings: settings,
  recordingBooking: booking,
}: Services) =>
  defineHandlers({
    'GET /api/cdr/:id/sounds': async ({ caller, params }) => ({
      sounds: await recordings.ofCall(caller, params.id),
    }),

    'GET /api/recordings/:id/audio': ({ caller, params, query }) =>
      recordings.audio(caller, params.id, query.download === 'true'),

    'GET /api/recordings/:id/peaks': async ({ caller, params }) => ({
      peaks: await recordings.peaks(caller, params.id),
    }),

    'DELETE /api/recordings/:id': async ({ caller, params }) => {
      await recordings.remove(caller, params.id)
      return { message: ownMessages.recordingDeleted }
    },

    'GET /api/recording-settings': async ({ caller }) => ({ settings: await settings.show(caller) }),

    'PUT /api/recording-settings': async ({ caller, body }) => ({
      settings: await settings.change(caller, body),
    }),

    'PUT /api/numbers/:id/recording': async ({ caller, params, body }) => ({
      number: await settings.changeNumber(caller, params.id, body.records),
    }),

    'GET /api/admin/cdr/:id/sounds': async ({ caller, params }) => ({
      sounds: await recordings.ofAnyCall(caller, params.id),
    }),

    'GET /api/admin/recordings/:id/audio': ({ caller, params, query }) =>
      recordings.anyAudio(caller, params.id, query.download === 'true'),

    'GET /api/admin/recordings/:id/peaks': async ({ caller, params }) => ({
      peaks: await recordings.anyPeaks(caller, params.id),
    }),

    'GET /api/admin/users/:id/recording': async ({ caller, params }) => ({
      settings: await settings.showOf(caller, params.id),
    }),

    'PUT /api/admin/users/:id/recording': async ({ caller, params, body }) => ({
      settings: await settings.allow(caller, params.id, body.is_allowed),
    }),

    'GET /api/admin/recording-price': async ({ caller }) => ({ price: await booking.showPrice(caller) }),

    'PUT /api/admin/recording-price': async ({ caller, body }) => ({
      price: await booking.changePrice(caller, body.price),
    }),
  })
