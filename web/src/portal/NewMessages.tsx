import { useQuery } from '@tanstack/react-query'
import { ownLiveCalls } from '../app/live-calls.ts'
import { useAfterCalls } from '../common/calls/use-after-calls.ts'
import { CountBadge } from './CountBadge.tsx'
import { countsQuery, rereadVoicemail } from './voicemail/queries.ts'

/** A message is in the mailbox a moment after its call. */
const AFTER_CALL_MS = 1_500

/** The number of new messages, for the sidebar. */
export function NewMessages() {
  const { data } = useQuery(countsQuery)
  useAfterCalls(ownLiveCalls, AFTER_CALL_MS, () => setTimeout(() => void rereadVoicemail(), AFTER_CALL_MS))
  return <CountBadge count={data?.new ?? 0} one="new message" many="new messages" />
}
