import { useQuery } from '@tanstack/react-query'
import { ALERT_TOPICS, alertTopics } from '@trunkline/contract/alert-topics'
import type { AlertSettings } from '@trunkline/contract/alerts'
import { ownMessages } from '@trunkline/contract/messages'
import { type ReactNode, useId, useState } from 'react'
import { ApiError, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { Failure } from '../../common/Failure.tsx'
import { atTime, onDay } from '../../common/payments/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { toast } from '../../ui/toast.ts'
import { settingsQuery, useSaveSettings } from './queries.ts'
import { changeOf, type Draft, draftOf, type Faults, faultsIn, faultsOf } from './settings-form.ts'

export function SettingsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const form = useId()
  const [isSaving, setSaving] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Alert settings"
      description="From when on something is worth an alert, and who gets it by e-mail. A field left empty turns its alert off."
      maxWidth={640}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={isSaving}>
            Save settings
          </Button>
        </>
      }
    >
      <Loaded form={form} onSaving={setSaving} onDone={onClose} />
    </Dialog>
  )
}

type FormProps = { form: string; onSaving: (isSaving: boolean) => void; onDone: () => void }

function Loaded(props: FormProps) {
  const { data, error, refetch } = useQuery(settingsQuery)
  if (data) return <SettingsForm {...props} read={data} />
  if (error)
    return (
      <Failure onRetry={() => void refetch()}>
        {explain(error, 'The alert settings could not be loaded.')}
      </Failure>
    )
  return (
    <div aria-busy="true" className="flex flex-col gap-5">
      {[0, 1, 2, 3].map((row) => (
        <Skeleton key={row} className="h-10 w-full" />
      ))}
    </div>
  )
}

function SettingsForm({ form, onSaving, onDone, read }: FormProps & { read: AlertSettings }) {
  const [settings, setSettings] = useState(read)
  const [draft, setDraft] = useState(() => draftOf(read))
  const [faults, setFaults] = useState<Faults>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [theirs, setTheirs] = useState<AlertSettings | null>(null)
  const save = useSaveSettings()

  const edit = (change: Partial<Draft>) => {
    setDraft({ ...draft, ...change })
    setFaults({})
    setProblem(null)
  }
  const field = (name: Exclude<keyof Draft, 'mail_topics'>) => ({
    name,
    value: draft[name],
    onChange: ({ target }: { target: { value: string } }) => edit({ [name]: target.value }),
  })

  async function submit() {
    const found = faultsIn(draft)
    setFaults(found)
    const [first] = Object.keys(found)
    if (first) return document.querySelector<HTMLElement>(`#${CSS.escape(form)} [name="${first}"]`)?.focus()
    const change = changeOf(draft, settings)
    if (!change) return onDone()
    onSaving(true)
    try {
      await save.mutateAsync(change)
      toast.success('The alert settings were saved.')
      onDone()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'changed_meanwhile') await showTheirs()
      else if (error instanceof ApiError && error.fields.length > 0) setFaults(faultsOf(error.fields))
      else setProblem(explain(error, 'The settings could not be saved. Please try again.'))
    } finally {
      onSaving(false)
    }
  }

  /** What was typed stays; it is weighed against what is there now. */
  async function showTheirs() {
    try {
      const now = await queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 })
      setTheirs(now)
      setSettings(now)
    } catch (error) {
      setProblem(explain(error, ownMessages.changedMeanwhile))
    }
  }

  return (
    <form
      id={form}
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {theirs && (
        <Notice tone="pending">
          <p>
            {theirs.updated_by ?? 'Somebody'} changed these settings meanwhile
            {theirs.updated_at && ` (${onDay(theirs.updated_at)} ${atTime(theirs.updated_at)})`}. What you
            typed is still here: look at it, then save again, or take theirs.
          </p>
          <Button
            size="sm"
            className="mt-2.5"
            onClick={() => {
              setDraft(draftOf(theirs))
              setTheirs(null)
            }}
          >
            Take theirs
          </Button>
        </Notice>
      )}
      {problem && <Notice tone="danger">{problem}</Notice>}
      <Group title="Money">
        <Field label="Large top-up, from ($)" error={faults.large_top_up}>
          <Input inputMode="decimal" autoComplete="off" {...field('large_top_up')} />
        </Field>
        <Field label="Low balance, below ($)" error={faults.low_balance}>
          <Input inputMode="decimal" autoComplete="off" {...field('low_balance')} />
        </Field>
      </Group>
      <Group title="Unusual spend">
        <Field
          label="Times a usual day"
          hint="A usual day of the account, seen from its last four weeks."
          error={faults.unusual_spend_times}
        >
          <Input inputMode="decimal" autoComplete="off" {...field('unusual_spend_times')} />
        </Field>
        <Field label="And at least ($ a day)" error={faults.unusual_spend_least}>
          <Input inputMode="decimal" autoComplete="off" {...field('unusual_spend_least')} />
        </Field>
      </Group>
      <Group title="Failed sign-ins within 15 minutes">
        <Field label="To one account" error={faults.failed_sign_ins_account}>
          <Input inputMode="numeric" autoComplete="off" {...field('failed_sign_ins_account')} />
        </Field>
        <Field label="From one address" error={faults.failed_sign_ins_address}>
          <Input inputMode="numeric" autoComplete="off" {...field('failed_sign_ins_address')} />
        </Field>
      </Group>
      <fieldset>
        <legend className="mb-3 font-semibold">By e-mail</legend>
        <Field
          label="Addresses"
          hint="One to a line. Leave it empty and nothing is mailed."
          error={faults.mail_to}
        >
          <Textarea rows={2} spellCheck={false} autoComplete="off" {...field('mail_to')} />
        </Field>
        <p className="mt-4 mb-2 font-medium text-sm" id={`${form}-topics`}>
          Which alerts
        </p>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset inside a fieldset would be read as two */}
        <div role="group" aria-labelledby={`${form}-topics`} className="grid gap-2 sm:grid-cols-2">
          {ALERT_TOPICS.map((topic) => (
            <Checkbox
              key={topic}
              label={alertTopics[topic].title}
              checked={draft.mail_topics.includes(topic)}
              onChange={({ target: { checked } }) =>
                edit({
                  mail_topics: checked
                    ? [...draft.mail_topics, topic]
                    : draft.mail_topics.filter((other) => other !== topic),
                })
              }
            />
          ))}
        </div>
      </fieldset>
      {settings.updated_at && (
        <p className="figures text-muted text-sm">
          Last changed by {settings.updated_by}, {onDay(settings.updated_at)} {atTime(settings.updated_at)}
        </p>
      )}
    </form>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset>
    <legend className="mb-3 font-semibold">{title}</legend>
    <div className="grid gap-4 sm:grid-cols-2">{children}</div>
  </fieldset>
)
