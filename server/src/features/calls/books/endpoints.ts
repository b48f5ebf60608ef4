import { defineHandlers } from '../../../platform/handler.ts'
import type { Books } from './check-books.ts'

export const booksEndpoints = (books: Books) =>
  defineHandlers({
    'GET /api/admin/books': async () => {
      const proof = await books.lastProof()
      return { proof: proof && { at: proof.at.toISOString(), faults: proof.faults } }
    },
  })
