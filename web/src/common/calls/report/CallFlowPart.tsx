import { useQuery } from '@tanstack/react-query'
import type { CallFlow } from '@trunkline/contract/call-flows'
import type { CdrDetails } from '@trunkline/contract/cdr'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Part } from '../../Details.tsx'
import { formatDuration } from '../../format/durations.ts'
import { formatExactMoney } from '../../format/money.ts'
import { Loaded } from '../../Loaded.tsx'
import { PhoneNumber } from '../../PhoneNumber.tsx'
import { flowQuery } from './queries.ts'
import { useCallSource } from './source.ts'

type CallFlowPartProps = {
  record: CdrDetails
  /** Opens the record of a leg. */
  onOpen: (id: string) => void
}

/** The way of an incoming call through a flow. Nothing for calls without one. */
export function CallFlowPart({ record, onOpen }: CallFlowPartProps) {
  const query = useQuery(flowQuery(useCallSource(), record))
  if (query.data === null || query.isPending) return null
  return (
    <Part title="Flow">
      <Loaded query={query} failed="The steps of this call could not be loaded." waiting={null}>
        {(flow) => flow && <Steps flow={flow} onOpen={onOpen} />}
      </Loaded>
    </Part>
  )
}

const Steps = ({
  flow: { flow, steps, end },
  onOpen,
}: { flow: CallFlow } & Pick<CallFlowPartProps, 'onOpen'>) => (
  <>
    <p className="mb-3 text-muted text-sm">
      {flow ? `${flow.name}, version ${flow.version}` : 'The flow was deleted.'}
    </p>
    <ol className="flex flex-col gap-3 text-sm">
      {steps.map((step) => (
        <li key={step.position} className="flex gap-3">
          <span className="figures w-12 shrink-0 text-right text-muted">{formatDuration(step.seconds)}</span>
          <div className="min-w-0 flex-1">
            <StepLine step={step} />
            {step.events.length > 0 && <p className="break-words text-muted">{step.events.join(' ')}</p>}
            {step.legs.map((leg) => (
              <p key={leg.id} className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
                <PhoneNumber of={leg.destination} />
                <span className="figures">{formatDuration(leg.duration)}</span>
                <span className="figures">{formatExactMoney(leg.cost)}</span>
                <Button size="sm" onClick={() => onOpen(leg.id)}>
                  Show this leg
                </Button>
              </p>
            ))}
          </div>
        </li>
      ))}
    </ol>
    <p className="mt-3 text-sm">{end ?? 'The process that ran the flow stopped, so the call ended here.'}</p>
  </>
)

const StepLine = ({ step: { name, keys, exit } }: { step: CallFlow['steps'][number] }) => (
  <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
    <span className="break-words font-medium">{name}</span>
    {keys !== '' && <Badge>{keys.length === 1 ? `Key ${keys}` : `Keys ${keys}`}</Badge>}
    {exit !== null && (
      <span>
        <span aria-hidden>→ </span>
        <span className="sr-only">Exit: </span>
        {exit}
      </span>
    )}
  </p>
)
