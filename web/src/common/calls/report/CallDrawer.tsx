import { useQuery } from '@tanstack/react-query'
import type { AdminCdrDetails, CdrDetails } from '@trunkline/contract/cdr'
import { accountLabel } from '@trunkline/contract/phone-names'
import { callLabel, switchLabel } from '@trunkline/contract/switch-names'
import type { ReactNode } from 'react'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Drawer } from '../../../ui/Drawer.tsx'
import { Lamp, type LampState } from '../../../ui/Lamp.tsx'
import { Figure, Part, WaitingForDetails } from '../../Details.tsx'
import { Facts, known } from '../../Facts.tsx'
import { formatDateTime, formatTimeWithSeconds } from '../../format/dates.ts'
import { formatDuration } from '../../format/durations.ts'
import { formatExactMoney } from '../../format/money.ts'
import { Loaded } from '../../Loaded.tsx'
import { PhoneNumber, TextWithPhoneNumbers } from '../../PhoneNumber.tsx'
import { directions, isMissed } from '../directions.ts'
import { lookOf } from '../statuses.ts'
import { CallFlowPart } from './CallFlowPart.tsx'
import { CallSounds } from './CallSounds.tsx'
import { exactMargin, isLoss } from './margin.ts'
import { detailsQuery } from './queries.ts'
import { SpeechQuality } from './SpeechQuality.tsx'
import { useCallSource } from './source.ts'

type CallDrawerProps = {
  id: string | undefined
  onClose: () => void
  /** Opens another record. */
  onOpen: (id: string) => void
  /** Links for administrators. */
  linksOf?: ((record: CdrDetails | AdminCdrDetails) => ReactNode) | undefined
  /** Sections for administrators. They need a wider drawer. */
  partsOf?: ((record: CdrDetails | AdminCdrDetails) => ReactNode) | undefined
}

export function CallDrawer({ id, onClose, onOpen, linksOf, partsOf }: CallDrawerProps) {
  const details = useQuery({ ...detailsQuery(useCallSource(), id ?? ''), enabled: id !== undefined })
  const record = details.data
  return (
    <Drawer
      open={id !== undefined}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isWide={partsOf !== undefined}
      title={
        record ? (
          <>
            {record.direction === 'in' ? 'Call from ' : 'Call to '}
            <PhoneNumber of={record.direction === 'in' ? record.caller : record.destination} />
          </>
        ) : (
          'Call details'
        )
      }
      description={record ? formatDateTime(record.started_at) : 'Price, timeline and details'}
    >
      <Loaded
        query={details}
        failed="The details of this call could not be loaded."
        waiting={<WaitingForDetails />}
      >
        {(loaded) => (
          <Details record={loaded} onOpen={onOpen} links={linksOf?.(loaded)} parts={partsOf?.(loaded)} />
        )}
      </Loaded>
    </Drawer>
  )
}

type DetailsProps = Pick<CallDrawerProps, 'onOpen'> & {
  record: CdrDetails | AdminCdrDetails
  links: ReactNode
  parts: ReactNode
}

function Details({ record, onOpen, links, parts }: DetailsProps) {
  const { label, tone } = lookOf(record.status)
  return (
    <div className="flex flex-col gap-7">
      <div>
        <dl className="flex flex-wrap gap-x-10 gap-y-3 max-sm:gap-x-6">
          {'user' in record ? (
            <OperatorsFigures record={record} />
          ) : (
            <Figure name="Cost">{formatExactMoney(record.cost)}</Figure>
          )}
          <Figure name="Talk time">{formatDuration(record.duration)}</Figure>
          <Figure name="Billed">{formatDuration(record.billed_seconds)}</Figure>
        </dl>
        <p className="mt-4 flex flex-wrap items-center gap-2.5 text-sm">
          <Badge tone={tone}>{label}</Badge>
          {record.reason}
          <Badge>{isMissed(record) ? 'Missed call' : `${directions[record.direction].name} call`}</Badge>
          {record.is_demo && <Badge>Demo call</Badge>}
        </p>
        {record.linked_id !== null && <LinkedLeg record={record} id={record.linked_id} onOpen={onOpen} />}
        {links}
      </div>
      <CallSounds id={record.id} />
      <Part title="Price breakdown">
        <ol className="flex flex-col gap-2">
          {record.price_steps.map((step, at) => (
            <li key={step} className="flex gap-3">
              <span aria-hidden className="figures w-4 shrink-0 text-right text-muted text-sm">
                {at + 1}
              </span>
              <span className="figures min-w-0 break-words text-sm">
                <TextWithPhoneNumbers text={step} />
              </span>
            </li>
          ))}
        </ol>
      </Part>
      <Part title="Timeline">
        <Path record={record} />
      </Part>
      {record.direction === 'in' && <CallFlowPart record={record} onOpen={onOpen} />}
      {record.media && (
        <SpeechQuality
          media={record.media}
          names={
            'user' in record
              ? ['Phone', 'Carrier']
              : ['Your phone', record.direction === 'in' ? 'Caller' : 'Called party']
          }
        />
      )}
      {parts}
      <Part title="Details">
        <Facts facts={factsOf(record)} />
      </Part>
    </div>
  )
}

function OperatorsFigures({ record }: { record: AdminCdrDetails }) {
  const margin = exactMargin(record)
  return (
    <>
      <Figure name="Price">{formatExactMoney(record.cost)}</Figure>
      {record.buycost !== null && <Figure name="Carrier cost">{formatExactMoney(record.buycost)}</Figure>}
      {margin !== null && (
        <Figure name="Margin">
          <span className={cx(isLoss(record) && 'text-danger')}>{margin}</span>
        </Figure>
      )}
    </>
  )
}

type LinkedLegProps = Pick<CallDrawerProps, 'onOpen'> & { record: CdrDetails; id: string }

/** A forwarded call has two records. */
const LinkedLeg = ({ record, id, onOpen }: LinkedLegProps) => (
  <Button size="sm" className="mt-3" onClick={() => onOpen(id)}>
    {record.direction === 'in' ? 'Show the outgoing leg' : 'Show the incoming leg'}
  </Button>
)

/** The timeline of the call. */
function Path({ record: { path, status } }: { record: CdrDetails }) {
  return (
    <ol>
      {path.map(({ at, what, is_failure: isFailure }, index) => {
        const isLast = index === path.length - 1
        return (
          <li key={`${at} ${what}`} className="flex gap-3">
            <span aria-hidden className="flex flex-col items-center">
              <Lamp lit={isLast ? endLamp(status) : isFailure ? 'danger' : 'signal'} label="" />
              {!isLast && <span className="my-0.5 w-px flex-1 bg-edge/55" />}
            </span>
            <p className={cx('min-w-0 flex-1 break-words text-sm', !isLast && 'pb-3.5')}>
              <TextWithPhoneNumbers text={what} />
            </p>
            <span className="figures shrink-0 text-muted text-sm">{at && formatTimeWithSeconds(at)}</span>
          </li>
        )
      })}
    </ol>
  )
}

function endLamp(status: CdrDetails['status']): LampState {
  if (status === 'completed') return 'off'
  return status === 'failed' || status === 'refused' ? 'danger' : 'pending'
}

const factsOf = (record: CdrDetails | AdminCdrDetails): [name: string, value: string][] =>
  known([
    ['Caller', accountLabel(record.caller)],
    ['Caller name', record.caller_name],
    ['Dialed', record.dialed],
    ['Country of the caller', record.caller_country],
    ['Country', record.country],
    ['Line type', record.line_type?.replaceAll('_', ' ') ?? null],
    ['Route', record.route],
    ['Plan', record.plan],
    ['SIP account', accountLabel(record.sipiax)],
    ['Source address', record.source_address],
    ['Device', record.device || null],
    ['SIP response', record.sip_code],
    ['Hung up by', record.hung_up_by],
    ['Switch', 'user' in record ? switchLabel(record.switch) : null],
    ['Call ID', callLabel(record.uniqueid)],
  ])
