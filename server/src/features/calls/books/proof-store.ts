import type { Database } from '../../../platform/database.ts'

export type Proof = { at: Date; faults: number }

export async function insertProof(db: Database, proof: Proof): Promise<void> {
  await db
    .insertInto('book_proofs')
    .values(proof)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const findLastProof = async (db: Database): Promise<Proof | null> =>
  (await db.selectFrom('book_proofs').selectAll().orderBy('at', 'desc').limit(1).executeTakeFirst()) ?? null
