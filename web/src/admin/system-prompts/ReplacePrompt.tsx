import type { SystemPrompt } from '@trunkline/contract/system-prompts'
import { api } from '../../app/api.ts'
import { useForm } from '../../common/forms/use-form.ts'
import { languageWords } from '../../common/languages.ts'
import { SoundSource, useSoundSource } from '../../common/sound/SoundSource.tsx'
import { type ReadySound, toBase64 } from '../../common/sound/wav.ts'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toast.ts'
import { rereadPrompts } from './queries.ts'
import { promptTitles } from './words.ts'

type Origin = 'upload' | 'microphone'

/** Replaces a prompt by a file or by a recording from the microphone. */
export function ReplacePrompt({ prompt, onClose }: { prompt: SystemPrompt; onClose: () => void }) {
  const { language, name, text } = prompt
  const source = useSoundSource()
  const ready = source.data
  const form = useForm({
    initial: { origin: 'upload' as Origin },
    validate: () => ({}),
    check: () => (ready ? null : 'Choose a file or record the prompt first.'),
    submit: async () => {
      const wav = toBase64((ready as ReadySound).wav)
      await api('PUT /api/admin/system-prompts/:language/:name', {
        params: { language, name },
        body: { wav },
      })
      await rereadPrompts()
      toast.success('The prompt was replaced.')
      onClose()
    },
    failed: 'The prompt could not be replaced. Please try again.',
  })
  const { origin } = form.values
  return (
    <FormDialog
      form={form}
      title={`Replace “${promptTitles[name]}”`}
      description={`${languageWords[language]}. Up to two minutes. Callers hear it in telephone quality.`}
      action="Replace prompt"
      isDisabled={!ready}
      onClose={onClose}
    >
      <p lang={language} className="rounded-md bg-sunken px-3 py-2 text-sm">
        “{text}”
      </p>
      <Field label="Source">
        <Select
          value={origin}
          onChange={({ target }) => {
            form.edit({ origin: target.value as Origin })
            source.reset()
          }}
        >
          <option value="upload">A file</option>
          <option value="microphone">My microphone</option>
        </Select>
      </Field>
      <SoundSource key={origin} origin={origin} source={source} />
    </FormDialog>
  )
}
