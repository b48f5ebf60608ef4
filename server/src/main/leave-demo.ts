import { closeDemo } from '../app/demo.ts'
import { systemClock } from '../platform/clock.ts'
import { openDatabase } from '../platform/database.ts'
import { migrate } from '../platform/migrate.ts'
import { createPasswordHasher } from '../platform/password-hasher.ts'

/** Converts a demo database for production. Returns the names of the closed accounts. */
export async function leaveDemo(url: string): Promise<string[]> {
  await migrate(url)
  const db = openDatabase({ url, poolSize: 1, onError: () => {} })
  try {
    return await closeDemo(db, systemClock, createPasswordHasher())
  } finally {
    await db.destroy()
  }
}
