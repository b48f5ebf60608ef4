import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RentedNumber } from '@trunkline/contract/numbers'
import type { ReactNode } from 'react'
import { ApiError, api } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { BackLink } from '../../../common/BackLink.tsx'
import { formatPhoneNumbersIn } from '../../../common/format/phone-numbers.ts'
import { ConflictNotice } from '../../../common/forms/ConflictNotice.tsx'
import { FormFeedback } from '../../../common/forms/FormFeedback.tsx'
import { useEditForm } from '../../../common/forms/use-edit-form.ts'
import { Loaded } from '../../../common/Loaded.tsx'
import { ScreenTitle } from '../../../common/ScreenTitle.tsx'
import { useDraft } from '../../../common/use-draft.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { toast } from '../../../ui/toast.ts'
import { type FlowNames, useFlowNames } from '../../flow-queries.ts'
import { placeOf } from '../MyNumbers.tsx'
import { numbersQuery, putNumber, rereadNumbers } from '../queries.ts'
import { describeDestination, describeTimes, showNumber } from '../words.ts'
import { DestinationFields } from './DestinationFields.tsx'
import { InWords } from './InWords.tsx'
import { RuleFields } from './RuleFields.tsx'
import { PLAN, type PlanValues, planLabels, planOf, validatePlan, valuesOf } from './ring-form.ts'
import { TimeZoneField } from './TimeZoneField.tsx'

/** Where one number rings. */
export function RingPlan({ id }: { id: number }) {
  const query = useQuery(numbersQuery)
  return (
    <>
      <BackLink to="/dashboard/numbers">Numbers</BackLink>
      <Loaded query={query} failed="Your numbers could not be loaded.">
        {(numbers) => {
          const number = numbers.find((each) => each.id === id)
          return number ? (
            <Editor key={id} number={number} />
          ) : (
            <Card>
              <EmptyState
                title="Number not found"
                text="You do not rent this number, or its rental has ended."
              />
            </Card>
          )
        }}
      </Loaded>
    </>
  )
}

/** What was typed survives leaving the screen. */
function Editor({ number }: { number: RentedNumber }) {
  const navigate = useNavigate()
  const flows = useFlowNames()
  const name = showNumber(number.number)
  // The draft keeps the version that it is based on, so that saving it notices later changes.
  const [draft, write, discard] = useDraft(`ring plan ${number.id}`, {
    base: number,
    values: valuesOf(number.ring_plan),
  })
  const leave = () => void navigate({ to: '/dashboard/numbers' })

  const form = useEditForm<RentedNumber, PlanValues, string>({
    opened: draft.base,
    toValues: ({ ring_plan }) => valuesOf(ring_plan),
    state: [draft.values, (values) => write({ base: draft.base, values })],
    onBase: (base, values) => write({ base, values }),
    labels: planLabels,
    isSame,
    show: (field, values) => formatPhoneNumbersIn(sayField(field, values, flows)),
    validate: validatePlan,
    submit: async (values, { id, version }) => {
      const body = { ring_plan: planOf(values), version }
      const answer = await api('PATCH /api/numbers/:id', { params: { id }, body })
      discard()
      putNumber(answer.number)
      toast.success(`Saved. New calls to ${name} follow this plan.`)
      const isStillOpen = form.ref.current !== null
      if (isStillOpen) leave()
    },
    reload: async ({ id }) => {
      const numbers = await queryClient.fetchQuery({ ...numbersQuery, staleTime: 0 })
      const current = numbers.find((each) => each.id === id)
      if (!current) throw new ApiError('You no longer rent this number.')
      return current
    },
    failed: 'The plan could not be saved. Please try again.',
    onSettled: rereadNumbers,
  })
  const { values, errors, edit } = form

  function startAgain() {
    form.restart(number)
    discard()
  }

  const shared = { errors: errors as Record<string, string>, ownNumber: name }
  const hasRules = values.rules.length > 0

  return (
    <>
      <ScreenTitle title={`Where ${name} rings`} text={placeOf(number)} />
      <Form
        form={form}
        label="Where it rings"
        className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]"
      >
        <div className="flex min-w-0 flex-col gap-4">
          <ConflictNotice form={{ ...form, discard: startAgain }} />
          <Section
            title={hasRules ? 'At other times' : 'Rings'}
            text={
              hasRules
                ? 'Where the number rings when no time rule applies.'
                : 'Where the number rings, at any time of the day.'
            }
          >
            <DestinationFields
              label="Destination"
              values={values.destination}
              path={`${PLAN}.destination`}
              onChange={(destination) => destination && edit({ destination })}
              {...shared}
            />
          </Section>
          <Section
            title="Time rules"
            text="Ring elsewhere at some times, for example after office hours. The first rule that matches decides."
          >
            {hasRules && (
              <TimeZoneField value={values.timeZone} onChange={(timeZone) => edit({ timeZone })} />
            )}
            <RuleFields rules={values.rules} onChange={(rules) => edit({ rules })} {...shared} />
          </Section>
          <Section
            title="If nobody answers"
            text="Used when the destination does not answer, is busy or cannot be reached."
          >
            <DestinationFields
              label="Then"
              none="End the call"
              values={values.fallback}
              path={`${PLAN}.fallback`}
              onChange={(fallback) => edit({ fallback })}
              {...shared}
            />
          </Section>
        </div>
        <InWords values={values}>
          <FormFeedback form={form} />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={form.isBusy} className="flex-1">
              Save
            </Button>
            <Button
              onClick={() => {
                discard()
                leave()
              }}
            >
              Cancel
            </Button>
          </div>
        </InWords>
      </Form>
    </>
  )
}

const Section = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <Card aria-label={title} className="flex flex-col gap-4">
    <div>
      <h3 className="font-semibold text-lg tracking-tight">{title}</h3>
      <p className="mt-0.5 text-muted text-sm">{text}</p>
    </div>
    {children}
  </Card>
)

const isSame = (field: keyof PlanValues, left: PlanValues, right: PlanValues): boolean =>
  JSON.stringify(planOf(left)[field]) === JSON.stringify(planOf(right)[field])

/** A part of the plan in words. */
function sayField(field: keyof PlanValues, values: PlanValues, flows: FlowNames): string {
  const { timeZone, destination, fallback, rules } = planOf(values)
  switch (field) {
    case 'timeZone':
      return timeZone
    case 'destination':
      return describeDestination(destination, flows)
    case 'fallback':
      return fallback ? describeDestination(fallback, flows) : 'end the call'
    case 'rules':
      return (
        rules
          .map((rule) => `${describeTimes(rule)} ${describeDestination(rule.destination, flows)}`)
          .join('; ') || 'none'
      )
  }
}
