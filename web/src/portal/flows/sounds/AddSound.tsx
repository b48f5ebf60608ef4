import { SOUND_NAME_MAX } from '@trunkline/contract/limits'
import type { SoundView } from '@trunkline/contract/sounds'
import { api } from '../../../app/api.ts'
import { useForm } from '../../../common/forms/use-form.ts'
import { SoundSource, useSoundSource } from '../../../common/sound/SoundSource.tsx'
import { nameOfFile, type ReadySound, toBase64 } from '../../../common/sound/wav.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Input } from '../../../ui/Input.tsx'
import { toast } from '../../../ui/toast.ts'
import { rereadSounds } from '../queries.ts'

type AddSoundProps = {
  origin: 'upload' | 'microphone'
  onAdded?: (sound: SoundView) => void
  onClose: () => void
}

/** Adds a sound to the library: from a file of any format that the browser knows, or from the microphone. */
export function AddSound({ origin, onAdded, onClose }: AddSoundProps) {
  const source = useSoundSource()
  const ready = source.data
  const form = useForm({
    initial: { name: '' },
    validate: ({ name }) => (name.trim() === '' ? { name: 'Please enter a name.' } : {}),
    check: () => (ready ? null : origin === 'upload' ? 'Choose a file first.' : 'Record something first.'),
    submit: async ({ name }) => {
      const wav = toBase64((ready as ReadySound).wav)
      const { sound } = await api('POST /api/sounds', { body: { name: name.trim(), origin, wav } })
      await rereadSounds()
      toast.success(`“${sound.name}” was added to your sounds.`)
      onAdded?.(sound)
      onClose()
    },
    fieldOf: { name_taken: 'name' },
    failed: 'The sound could not be saved. Please try again.',
  })

  function nameAfter(file: File) {
    if (form.values.name === '') form.edit({ name: nameOfFile(file.name).slice(0, SOUND_NAME_MAX) })
  }

  return (
    <FormDialog
      form={form}
      title={origin === 'upload' ? 'Upload a sound' : 'Record a sound'}
      description="Up to two minutes. Callers hear it in telephone quality."
      action="Save sound"
      isDisabled={!ready}
      onClose={onClose}
    >
      <SoundSource origin={origin} source={source} onFile={nameAfter} />
      <Field label="Name" error={form.errors.name}>
        <Input {...form.bind('name')} maxLength={SOUND_NAME_MAX} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
