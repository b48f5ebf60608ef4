import { z } from 'zod'
import { POSTING_KINDS } from './posting-kinds.ts'

export const PostingKind = z.enum(POSTING_KINDS)
export type PostingKind = z.output<typeof PostingKind>
