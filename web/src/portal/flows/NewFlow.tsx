import { useNavigate } from '@tanstack/react-router'
import { FLOW_NAME_MAX } from '@trunkline/contract/limits'
import { useForm } from '../../common/forms/use-form.ts'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { createFlow } from './create-flow.ts'
import { starts } from './model/starts.ts'

/** Creates a flow from a template and opens it. */
export function NewFlow({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const form = useForm({
    initial: { name: '', start: starts[0]?.id ?? '' },
    validate: ({ name }) => (name.trim() === '' ? { name: 'Please enter a name.' } : {}),
    submit: async ({ name, start }) => {
      const chosen = starts.find(({ id }) => id === start) ?? starts[0]
      if (!chosen) return
      const { id } = await createFlow(name.trim(), chosen.flow())
      const isStillOpen = form.ref.current !== null
      if (isStillOpen) void navigate({ to: '/dashboard/flows/$id', params: { id: String(id) } })
    },
    fieldOf: { name_taken: 'name' },
    failed: 'The flow could not be created. Please try again.',
  })
  return (
    <FormDialog
      form={form}
      title="New flow"
      description="No call uses it before you publish it."
      action="Create flow"
      maxWidth={620}
      onClose={onClose}
    >
      <Field label="Name" error={form.errors.name}>
        <Input {...form.bind('name')} maxLength={FLOW_NAME_MAX} autoComplete="off" placeholder="Main line" />
      </Field>
      <fieldset>
        <legend className="mb-1.5 font-medium text-sm">Start with</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {starts.map(({ id, name, about, icon: Icon }) => (
            <label
              key={id}
              className={cx(
                'flex cursor-pointer items-start gap-3 rounded-lg border p-3 has-focus-visible:outline-2 has-focus-visible:outline-signal-ink',
                form.values.start === id
                  ? 'border-signal-edge bg-signal-soft'
                  : 'border-edge/60 bg-raised hover:border-edge',
              )}
            >
              <input
                type="radio"
                name="start"
                value={id}
                className="sr-only"
                checked={form.values.start === id}
                onChange={() => form.edit({ start: id })}
              />
              <Icon
                aria-hidden
                className={cx(
                  'mt-0.5 size-5 shrink-0',
                  form.values.start === id ? 'text-signal-ink' : 'text-muted',
                )}
              />
              <span>
                <span className="block font-medium text-sm">{name}</span>
                <span
                  className={cx('mt-0.5 block text-sm', form.values.start === id ? 'text-ink' : 'text-muted')}
                >
                  {about}
                </span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </FormDialog>
  )
}
