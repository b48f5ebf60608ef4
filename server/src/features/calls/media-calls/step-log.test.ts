import type { FlowLogEntry } from '@trunkline/domain/flows'
import { expect, it } from 'vitest'
import { createMedia } from '../../../../test/media.ts'
import { systemClock } from '../../../platform/clock.ts'
import { insertMediaCall } from './calls-store.ts'
import { createStepLog } from './step-log.ts'

it('stores the other calls of a batch if the database rejects an entry', async () => {
  const media = await createMedia()
  const errors: unknown[] = []
  const log = createStepLog(media.db, (error) => errors.push(error))
  const now = systemClock.now()
  const userId = await media.newUser()
  const add = async (callId: string, entries: readonly FlowLogEntry[]) => {
    const call = { callId, userId, kind: 'flow', versionId: null, now } as const
    await insertMediaCall(media.db, call, { id: 'one', startedAt: now })
    log.open(callId)(entries)
  }
  const entered = (stepId: string): FlowLogEntry => ({ at: 1, type: 'entered', stepId })
  await add('sw1/first', [entered('menu'), entered('sales')])
  await add('sw1/rejected', [entered('menu'), entered('\0')])
  await add('sw1/last', [entered('mailbox')])
  await log.close()
  expect(await media.stepsOf('sw1/first')).toEqual([entered('menu'), entered('sales')])
  expect(await media.stepsOf('sw1/rejected')).toEqual([])
  expect(await media.stepsOf('sw1/last')).toEqual([entered('mailbox')])
  expect(errors).toHaveLength(1)
})
