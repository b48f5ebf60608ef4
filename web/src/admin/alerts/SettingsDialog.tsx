import { useQuery } from '@tanstack/react-query'
import { ALERT_TOPICS, alertTopics } from '@trunkline/contract/alert-topics'
import type { AlertSettings } from '@trunkline/contract/alerts'
import { type ReactNode, useId } from 'react'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { formatDateTime } from '../../common/format/dates.ts'
import { ConflictNotice } from '../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../common/forms/use-edit-form.ts'
import { LoadingDialog } from '../../common/LoadingDialog.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { toast } from '../../ui/toast.ts'
import { settingsQuery } from './queries.ts'
import { changeOf, type Draft, draftOf, settingLabels, validateSettings } from './settings-form.ts'

export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const query = useQuery(settingsQuery)
  if (query.data) return <SettingsForm read={query.data} onDone={onClose} />
  return (
    <LoadingDialog
      query={query}
      title="Alert settings"
      description={DESCRIPTION}
      maxWidth={640}
      failed="The alert settings could not be loaded."
      onClose={onClose}
    />
  )
}

const DESCRIPTION = 'Choose when alerts fire and who gets them. Leave a field blank to turn its alert off.'

function SettingsForm({ read, onDone }: { read: AlertSettings; onDone: () => void }) {
  const topics = useId()
  const form = useEditForm({
    opened: read,
    toValues: draftOf,
    labels: settingLabels,
    validate: validateSettings,
    submit: async (draft, base) => {
      const change = changeOf(draft, base)
      if (change) {
        const { settings } = await api('PATCH /api/admin/alert-settings', { body: change })
        queryClient.setQueryData(settingsQuery.queryKey, settings)
        toast.success('The alert settings were saved.')
      }
      onDone()
    },
    reload: () => queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 }),
    failed: 'The settings could not be saved. Please try again.',
  })
  const { base, edit, errors, values } = form
  type TextField = Exclude<keyof Draft, 'mail_topics' | 'weekly_report'>
  const field = (name: TextField) => ({
    label: settingLabels[name],
    error: errors[name],
  })
  const input = (name: TextField) => ({ ...form.bind(name), autoComplete: 'off' })
  const number = (name: TextField, inputMode: 'decimal' | 'numeric', hint?: string) => (
    <Field {...field(name)} hint={hint}>
      <Input {...input(name)} inputMode={inputMode} />
    </Field>
  )

  return (
    <FormDialog
      form={form}
      title="Alert settings"
      description={DESCRIPTION}
      label="Alert settings"
      action="Save settings"
      maxWidth={640}
      className="flex flex-col gap-6"
      onClose={onDone}
    >
      <ConflictNotice form={form} by={base.updated_by} />
      <Group title="Money">
        {number('large_top_up', 'decimal')}
        {number('low_balance', 'decimal')}
      </Group>
      <Group title="Unusual spend">
        {number(
          'unusual_spend_times',
          'decimal',
          'Normal daily spend is calculated from the last four weeks.',
        )}
        {number('unusual_spend_least', 'decimal')}
      </Group>
      <Group title="Failed sign-ins within 15 minutes">
        {number('failed_sign_ins_account', 'numeric')}
        {number('failed_sign_ins_address', 'numeric')}
      </Group>
      <fieldset>
        <legend className="mb-3 font-semibold">Email</legend>
        <Field {...field('mail_to')} hint="One address per line. Leave blank to send no email.">
          <Textarea {...input('mail_to')} rows={2} spellCheck={false} />
        </Field>
        <p className="mt-4 mb-2 font-medium text-sm" id={topics}>
          {settingLabels.mail_topics}
        </p>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset inside a fieldset would be read as two */}
        <div role="group" aria-labelledby={topics} className="grid gap-2 sm:grid-cols-2">
          {ALERT_TOPICS.map((topic) => (
            <Checkbox
              key={topic}
              name="mail_topics"
              label={alertTopics[topic].title}
              checked={values.mail_topics.includes(topic)}
              onChange={({ target: { checked } }) =>
                edit({
                  mail_topics: checked
                    ? [...values.mail_topics, topic]
                    : values.mail_topics.filter((other) => other !== topic),
                })
              }
            />
          ))}
        </div>
        <Checkbox
          className="mt-4"
          label={settingLabels.weekly_report}
          {...form.bindChecked('weekly_report')}
        />
      </fieldset>
      {base.updated_at && (
        <p className="figures text-muted text-sm">
          Last changed by {base.updated_by}, {formatDateTime(base.updated_at)}
        </p>
      )}
    </FormDialog>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset>
    <legend className="mb-3 font-semibold">{title}</legend>
    <div className="grid gap-4 sm:grid-cols-2">{children}</div>
  </fieldset>
)
