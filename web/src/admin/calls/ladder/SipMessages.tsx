import { useQuery } from '@tanstack/react-query'
import type { AdminCdrDetails } from '@trunkline/contract/cdr'
import type { CallMessages } from '@trunkline/contract/sip-messages'
import { Download } from 'lucide-react'
import { Part } from '../../../common/Details.tsx'
import { Loaded } from '../../../common/Loaded.tsx'
import { saveFile } from '../../../common/save-file.ts'
import { Button } from '../../../ui/Button.tsx'
import { messagesQuery } from '../queries.ts'
import { Ladder } from './Ladder.tsx'
import { traceText } from './ladder.ts'

export function SipMessages({ record }: { record: AdminCdrDetails }) {
  const messages = useQuery(messagesQuery(record))
  return (
    <Part title="SIP messages">
      <Loaded query={messages} failed="The SIP messages of this call could not be loaded.">
        {(trace) =>
          trace.state === 'captured' ? (
            <>
              <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
                <p className="text-muted text-sm">
                  {trace.messages.length} messages. Passwords and media keys are removed.
                </p>
                <Button size="sm" onClick={() => download(trace, record)}>
                  <Download aria-hidden />
                  Download as text
                </Button>
              </div>
              <Ladder trace={trace} />
            </>
          ) : (
            <p className="text-muted text-sm">{reasonFor(trace, record)}</p>
          )
        }
      </Loaded>
    </Part>
  )
}

function download(trace: CallMessages, { started_at: startedAt, destination }: AdminCdrDetails): void {
  const name = `sip-${startedAt.slice(0, 19).replaceAll(':', '-')}-${destination.replace(/\W/g, '')}.txt`
  saveFile(new Blob([traceText(trace)], { type: 'text/plain' }), name)
}

/** Why there are no messages. */
function reasonFor({ state, days }: CallMessages, { is_demo: isDemo }: AdminCdrDetails): string {
  if (isDemo) return 'A demo call has no SIP messages.'
  if (state === 'off') return 'Messages are not kept, because SIP_TRACE_DAYS is 0.'
  if (state === 'expired') return `Messages are deleted after ${days} ${days === 1 ? 'day' : 'days'}.`
  return 'No messages of this call were captured.'
}
