import { useQuery } from '@tanstack/react-query'
import { ownLiveCalls } from '../app/live-calls.ts'
import { useAfterCalls } from '../common/calls/use-after-calls.ts'
import { Badge } from '../ui/Badge.tsx'
import { countsQuery, rereadVoicemail } from './voicemail/queries.ts'

/** A message is in the mailbox a moment after its call. */
const AFTER_CALL_MS = 1_500

/** The number of new messages, for the sidebar. */
export function NewMessages() {
  const { data } = useQuery(countsQuery)
  useAfterCalls(ownLiveCalls, AFTER_CALL_MS, () => setTimeout(() => void rereadVoicemail(), AFTER_CALL_MS))
  const count = data?.new ?? 0
  if (count === 0) return null
  return (
    <Badge tone="signal" className="ml-auto">
      {count}
      <span className="sr-only">new {count === 1 ? 'message' : 'messages'}</span>
    </Badge>
  )
}
