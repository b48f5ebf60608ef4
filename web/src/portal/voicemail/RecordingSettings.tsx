import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RECORDING_DAYS_MAX } from '@trunkline/contract/limits'
import type { RecordingSettings as Settings } from '@trunkline/contract/recordings'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { formatRate } from '../../common/format/money.ts'
import { ConflictNotice } from '../../common/forms/ConflictNotice.tsx'
import { FormFeedback } from '../../common/forms/FormFeedback.tsx'
import { useEditForm } from '../../common/forms/use-edit-form.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { Button } from '../../ui/Button.tsx'
import { TitledCard } from '../../ui/Card.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Form } from '../../ui/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { DaysKept, daysKeptErrors } from './DaysKept.tsx'
import { recordingSettingsQuery } from './queries.ts'

type Values = { records_all: boolean; records_dialed: boolean; announces: boolean; days_kept: string }

export function RecordingSettings() {
  return (
    <TitledCard title="Call recording">
      <Loaded query={useQuery(recordingSettingsQuery)} failed="The settings could not be loaded.">
        {(settings) => (settings.is_allowed ? <SettingsForm settings={settings} /> : <NotAllowed />)}
      </Loaded>
    </TitledCard>
  )
}

const NotAllowed = () => (
  <p className="text-muted text-sm">
    Call recording is not enabled for your account.{' '}
    <Link to="/dashboard/support" className="underline">
      Contact support
    </Link>{' '}
    to request it.
  </p>
)

const toValues = ({ records_all, records_dialed, announces, days_kept }: Settings): Values => ({
  records_all,
  records_dialed,
  announces,
  days_kept: String(days_kept),
})

function SettingsForm({ settings }: { settings: Settings }) {
  const form = useEditForm<Settings, Values>({
    opened: settings,
    toValues,
    labels: {
      records_all: 'Record all incoming calls',
      records_dialed: 'Record the calls you make',
      announces: 'Announcement',
      days_kept: 'Days kept',
    },
    validate: ({ days_kept }) => daysKeptErrors(days_kept, RECORDING_DAYS_MAX),
    submit: async ({ days_kept, ...values }, { version }) => {
      const saved = await api('PUT /api/recording-settings', {
        body: { ...values, days_kept: Number(days_kept), version },
      })
      queryClient.setQueryData(recordingSettingsQuery.queryKey, saved.settings)
      form.restart(saved.settings)
      toast.success('Recording settings saved.')
    },
    reload: () => queryClient.fetchQuery({ ...recordingSettingsQuery, staleTime: 0 }),
    failed: 'The settings could not be saved. Please try again.',
  })
  return (
    <Form form={form} label="Call recording">
      <ConflictNotice form={form} />
      <p className="text-muted text-sm">
        {settings.price === 0
          ? 'Recording is free.'
          : `Recording costs ${formatRate(settings.price)} and ends when your balance does not cover more.`}{' '}
        You find recordings in the details of a call. Numbers and flow steps can also record.
      </p>
      <Checkbox
        {...form.bindChecked('records_all')}
        label="Record all incoming calls"
        hint="Otherwise only calls of numbers and flow steps that record."
      />
      <Checkbox
        {...form.bindChecked('records_dialed')}
        label="Record the calls you make"
        hint="From your phones, your PBX and the web phone. Emergency calls are not recorded."
      />
      <Checkbox
        {...form.bindChecked('announces')}
        label="Announce the recording"
        hint="Both sides hear that the call is recorded before it starts. The web phone is silent in that time."
      />
      {!form.values.announces && (
        <Notice tone="pending">
          Many countries require that everyone in the call knows about the recording. You are responsible for
          telling them.
        </Notice>
      )}
      <DaysKept
        {...form.bind('days_kept')}
        error={form.errors.days_kept}
        maxDays={RECORDING_DAYS_MAX}
        of="recordings"
      />
      <FormFeedback form={form} />
      <Button type="submit" variant="primary" busy={form.isBusy}>
        Save settings
      </Button>
    </Form>
  )
}
