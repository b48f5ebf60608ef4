import { RING_STEPS_MAX } from '@trunkline/contract/limits'
import { type DeviceGroup, RING_SECONDS } from '@trunkline/domain/ringing'
import { Trash2 } from 'lucide-react'
import { AddButton } from '../../../ui/AddButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { DeviceOptions } from './DeviceOptions.tsx'
import type { DestinationProps } from './fields.ts'
import { MoveButtons } from './MoveButtons.tsx'
import type { DestinationValues } from './ring-form.ts'
import { SecondsField } from './SecondsField.tsx'

type Step = DestinationValues['steps'][number]

/** The devices that do not ring yet. */
const othersOf = (devices: DeviceGroup): DeviceGroup => (devices === 'phones' ? 'browsers' : 'phones')

/** Devices ring at once, or in steps one after another. */
export function DeviceFields({ values: { steps }, path, errors, onEdit }: DestinationProps) {
  const isInOrder = steps.length > 1
  const change = (at: number, part: Partial<Step>) =>
    onEdit({ steps: steps.map((step, index) => (index === at ? { ...step, ...part } : step)) })
  const remove = (at: number) => onEdit({ steps: steps.toSpliced(at, 1) })

  function order(inOrder: boolean) {
    const first = steps[0] ?? { devices: 'all', seconds: String(RING_SECONDS) }
    const start = first.devices === 'all' ? { ...first, devices: 'phones' as const } : first
    onEdit({
      steps: inOrder
        ? [start, { devices: othersOf(start.devices), seconds: first.seconds }]
        : [{ ...first, devices: 'all' }],
    })
  }

  return (
    <div className="flex flex-col gap-3">
      <Field
        label="How they ring"
        className="sm:max-w-72"
        hint={isInOrder ? 'The next step rings if nobody answers.' : undefined}
      >
        <Select
          name={`${path}.order`}
          value={isInOrder ? 'order' : 'once'}
          onChange={({ target }) => order(target.value === 'order')}
        >
          <option value="once">At once</option>
          <option value="order">In order</option>
        </Select>
      </Field>
      <ol aria-label="Steps" className="flex flex-col gap-3">
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other identity, and its fields are controlled
          <li key={at} className="flex flex-wrap items-start gap-3">
            <Field label={isInOrder ? `Step ${at + 1}` : 'Devices'} className="min-w-36 flex-1 sm:max-w-72">
              <Select
                name={`${path}.steps.${at}.devices`}
                value={step.devices}
                onChange={({ target }) => change(at, { devices: target.value as DeviceGroup })}
              >
                <DeviceOptions />
              </Select>
            </Field>
            <div className="w-44">
              <SecondsField
                name={`${path}.steps.${at}.seconds`}
                value={step.seconds}
                error={errors[`${path}.steps.${at}.seconds`]}
                onChange={({ target }) => change(at, { seconds: target.value })}
              />
            </div>
            {isInOrder && (
              <div className="flex gap-1 sm:pt-7">
                <MoveButtons
                  list={steps}
                  at={at}
                  name={`step ${at + 1}`}
                  onChange={(moved) => onEdit({ steps: moved })}
                />
                <Button variant="ghost" aria-label={`Remove step ${at + 1}`} onClick={() => remove(at)}>
                  <Trash2 aria-hidden />
                </Button>
              </div>
            )}
          </li>
        ))}
      </ol>
      {isInOrder && steps.length < RING_STEPS_MAX && (
        <AddButton
          size="sm"
          className="self-start"
          onClick={() => onEdit({ steps: [...steps, { devices: 'all', seconds: String(RING_SECONDS) }] })}
        >
          Add step
        </AddButton>
      )}
    </div>
  )
}
