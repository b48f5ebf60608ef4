import { z } from 'zod'
import { POSTING_KINDS } from './posting-kinds.ts'

/** The value that validates `PostingKind` of domain/ledger. */
export const postingKind = z.enum(POSTING_KINDS)
