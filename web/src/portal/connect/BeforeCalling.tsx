import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { wordsOfState } from '../home/caller-id/caller-id.ts'
import { callerIdQuery } from '../home/queries.ts'
import { useOverlay } from '../overlay.ts'

/** Calls without a caller ID are refused, so its state comes first. */
export function BeforeCalling() {
  const show = useOverlay()
  const { data } = useQuery(callerIdQuery)
  if (!data) return null
  if (data.approval && data.approval.state !== 'approved')
    return (
      <Notice tone="pending">
        Your Caller ID{' '}
        <span className="figures font-medium">
          <PhoneNumber of={`+${data.callerid}`} />
        </span>
        : {wordsOfState(data)}
      </Notice>
    )
  if (data.callerid !== null)
    return (
      <Notice tone="success">
        Your Caller ID is set:{' '}
        <span className="figures font-medium">
          <PhoneNumber of={`+${data.callerid}`} />
        </span>
      </Notice>
    )
  return (
    <Notice tone="pending">
      <p>You have no Caller ID yet. Calls are refused until you set one.</p>
      <Link
        to="/dashboard"
        hash="caller-id"
        onClick={() => show(null)}
        className={`${buttonClass({ size: 'sm' })} mt-2.5`}
      >
        Set Caller ID
      </Link>
    </Notice>
  )
}
