import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { VOICEMAIL_DAYS_MAX } from '@trunkline/contract/limits'
import type { VoicemailSettings } from '@trunkline/contract/voicemail'
import { type Language, languages, type Sound } from '@trunkline/domain/flows'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { ConflictNotice } from '../../common/forms/ConflictNotice.tsx'
import { FormFeedback } from '../../common/forms/FormFeedback.tsx'
import { useEditForm } from '../../common/forms/use-edit-form.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { languageWords } from '../../common/languages.ts'
import { Button } from '../../ui/Button.tsx'
import { TitledCard } from '../../ui/Card.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toast.ts'
import { SoundField } from '../flows/panel/SoundField.tsx'
import { DaysKept, daysKeptErrors } from './DaysKept.tsx'
import { rereadVoicemail, settingsQuery } from './queries.ts'

type Values = {
  greeting: Sound | null
  language: Language
  mails: boolean
  attaches: boolean
  days_kept: string
}

const labels = {
  greeting: 'Greeting',
  language: 'Language',
  mails: 'Email',
  attaches: 'Attachment',
  days_kept: 'Days kept',
}

const toValues = (settings: VoicemailSettings): Values => ({
  greeting:
    settings.greeting_sound_id !== null
      ? { kind: 'file', soundId: settings.greeting_sound_id }
      : settings.greeting_text
        ? { kind: 'text', text: settings.greeting_text, language: settings.language }
        : null,
  language: settings.language,
  mails: settings.mails,
  attaches: settings.attaches,
  days_kept: String(settings.days_kept),
})

export function MailboxSettings() {
  return (
    <TitledCard title="Mailbox settings">
      <Loaded query={useQuery(settingsQuery)} failed="The settings could not be loaded.">
        {(settings) => <SettingsForm settings={settings} />}
      </Loaded>
    </TitledCard>
  )
}

function SettingsForm({ settings }: { settings: VoicemailSettings }) {
  const form = useEditForm<VoicemailSettings, Values>({
    opened: settings,
    toValues,
    labels,
    validate: ({ days_kept, greeting }) => ({
      ...daysKeptErrors(days_kept, VOICEMAIL_DAYS_MAX),
      ...(greeting?.kind === 'text' && greeting.text.trim() === '' && { greeting: 'Enter a text.' }),
    }),
    submit: async ({ greeting, language, mails, attaches, days_kept }, { version }) => {
      const saved = await api('PUT /api/voicemail/settings', {
        body: {
          greeting_sound_id: greeting?.kind === 'file' ? greeting.soundId : null,
          greeting_text: greeting?.kind === 'text' ? greeting.text.trim() : '',
          language: greeting?.kind === 'text' ? greeting.language : language,
          mails,
          attaches,
          days_kept: Number(days_kept),
          version,
        },
      })
      queryClient.setQueryData(settingsQuery.queryKey, saved.settings)
      form.restart(saved.settings)
      // The retention changes when messages are deleted.
      void rereadVoicemail()
      toast.success('Mailbox settings saved.')
    },
    reload: () => queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 }),
    failed: 'The settings could not be saved. Please try again.',
  })
  const { values, errors } = form
  return (
    <Form form={form} label="Mailbox settings">
      <ConflictNotice form={form} />
      <SoundField
        label="Greeting"
        none="Default greeting"
        hasVariables={false}
        sound={values.greeting}
        onChange={(greeting) => form.edit({ greeting })}
      />
      {values.greeting === null && (
        <Field label="Language">
          <Select {...form.bind('language')}>
            <Options of={languages.map((language) => [language, languageWords[language]])} />
          </Select>
        </Field>
      )}
      {errors.greeting && <p className="text-danger text-sm">{errors.greeting}</p>}
      {settings.mail_address === null ? (
        <p className="text-muted text-sm">
          To get messages by email, confirm your email address in your{' '}
          <Link to="/dashboard/profile" className="underline">
            profile
          </Link>
          .
        </p>
      ) : (
        <>
          <Checkbox
            {...form.bindChecked('mails')}
            label="Email new messages"
            hint={`To ${settings.mail_address}.`}
          />
          <Checkbox
            {...form.bindChecked('attaches')}
            disabled={!values.mails}
            label="Attach the sound"
            hint="As a WAV file. Email is not encrypted end to end."
          />
        </>
      )}
      <DaysKept
        {...form.bind('days_kept')}
        error={form.errors.days_kept}
        maxDays={VOICEMAIL_DAYS_MAX}
        of="messages"
      />
      <FormFeedback form={form} />
      <Button type="submit" variant="primary" busy={form.isBusy}>
        Save settings
      </Button>
    </Form>
  )
}
