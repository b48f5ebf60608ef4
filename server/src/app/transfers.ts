import type { FastifyReply } from 'fastify'
import { createTurns, type InTurn } from '../platform/turns.ts'

/**
 * Large bodies and files are in memory until the response is closed, and a client decides how fast it sends and reads. These limits
 * per user and for all users bound that memory. The browser sends one sound and plays one at a time.
 */
const UPLOADS = { atOnce: 2, total: 8, waiting: 16 }
const DOWNLOADS = { atOnce: 4, total: 16, waiting: 16 }

export type Transfers = ReturnType<typeof createTransfers>

/** Each function waits for a turn of the user, which lasts until the response is closed. */
export function createTransfers() {
  const uploads = createTurns(UPLOADS)
  const downloads = createTurns(DOWNLOADS)
  return {
    beginUpload: (userId: number, reply: FastifyReply) => takeTurn(uploads, userId, reply),
    beginDownload: (userId: number, reply: FastifyReply) => takeTurn(downloads, userId, reply),
  }
}

function takeTurn(inTurn: InTurn, userId: number, { raw }: FastifyReply): Promise<void> {
  // A response that is closed already emits no further 'close'.
  const closed = new Promise<void>((resolve) => (raw.destroyed ? resolve() : raw.once('close', resolve)))
  return new Promise((resolve, reject) => {
    inTurn(userId, () => {
      resolve()
      return closed
    }).catch(reject)
  })
}
