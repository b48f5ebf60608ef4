import { type BooksReport, createBooks } from '../features/calls/books/check-books.ts'
import { holdsOfLiveCalls } from '../features/calls/books/live-holds-store.ts'
import { systemClock } from '../platform/clock.ts'
import { openDatabase } from '../platform/database.ts'

/** The check-books command. Read-only; works with and without a running portal. */
export async function checkBooks(url: string): Promise<BooksReport> {
  const db = openDatabase({ url, poolSize: 1, onError: () => {} })
  try {
    return await createBooks(db, systemClock, holdsOfLiveCalls).check()
  } finally {
    await db.destroy()
  }
}
