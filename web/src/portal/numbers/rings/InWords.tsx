import { localTime, type RingPlan, targetsAt } from '@trunkline/domain/ringing'
import type { ReactNode } from 'react'
import { useSecond } from '../../../common/calls/use-second.ts'
import { TextWithPhoneNumbers } from '../../../common/PhoneNumber.tsx'
import { Card } from '../../../ui/Card.tsx'
import { type FlowNames, useFlowNames } from '../../flow-queries.ts'
import { capitalized, dayName, describePlan, describeTargets, formatMinute } from '../words.ts'
import { type PlanValues, planOf, validatePlan } from './ring-form.ts'

/** The plan as it would be saved, in words. */
export function InWords({ values, children }: { values: PlanValues; children: ReactNode }) {
  const flows = useFlowNames()
  const isComplete = Object.keys(validatePlan(values)).length === 0
  return (
    <Card
      aria-label="Summary"
      className="flex flex-col gap-4 lg:sticky lg:top-[calc(5.5rem+var(--banner,0px))]"
    >
      <h3 className="font-semibold text-lg tracking-tight">Summary</h3>
      <div aria-live="polite" className="text-sm">
        {isComplete ? (
          <ol className="flex flex-col gap-2.5">
            {describePlan(planOf(values), flows).map(({ when, what }) => (
              <li key={`${when} ${what}`} className="figures break-words">
                {when && <span className="block font-medium">{when}</span>}
                <TextWithPhoneNumbers text={capitalized(what)} />
              </li>
            ))}
          </ol>
        ) : (
          <p className="text-muted">Complete the fields to see where the number rings.</p>
        )}
      </div>
      {isComplete && values.rules.length > 0 && <Now plan={planOf(values)} flows={flows} />}
      {children}
    </Card>
  )
}

/** Where the number would ring now. */
function Now({ plan, flows }: { plan: RingPlan; flows: FlowNames }) {
  const now = useSecond()
  const { day, minute } = localTime(plan.timeZone, now)
  const { ruleName, destinations } = targetsAt(plan, now)
  return (
    <p className="figures rounded-md border bg-ground px-3 py-2.5 text-sm">
      <span className="block font-medium">
        Now, {dayName(day)} {formatMinute(minute)}
      </span>
      <TextWithPhoneNumbers
        text={`${ruleName === null ? 'No rule applies' : `Rule “${ruleName}”`}: ${describeTargets(destinations, flows)}.`}
      />
    </p>
  )
}
