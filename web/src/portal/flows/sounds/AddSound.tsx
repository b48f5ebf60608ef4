import { useMutation } from '@tanstack/react-query'
import { SOUND_NAME_MAX } from '@trunkline/contract/limits'
import type { SoundView } from '@trunkline/contract/sounds'
import { Mic, Square } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../app/api.ts'
import { formatDuration } from '../../../common/format/durations.ts'
import { useForm } from '../../../common/forms/use-form.ts'
import { Player } from '../../../common/sound/Player.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { rereadSounds } from '../queries.ts'
import { useRecorder } from './use-recorder.ts'
import { nameOfFile, type ReadySound, readSound, SoundFault, toBase64, UNREADABLE } from './wav.ts'

type AddSoundProps = {
  origin: 'upload' | 'microphone'
  onAdded?: (sound: SoundView) => void
  onClose: () => void
}

/** Adds a sound to the library: from a file of any format that the browser knows, or from the microphone. */
export function AddSound({ origin, onAdded, onClose }: AddSoundProps) {
  const read = useMutation({ mutationFn: readSound })
  const ready = read.data
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

  function choose(file: File | undefined) {
    if (!file) return
    if (form.values.name === '') form.edit({ name: nameOfFile(file.name).slice(0, SOUND_NAME_MAX) })
    read.mutate(file)
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
      {origin === 'upload' ? (
        <Field label="File" hint="WAV, MP3, M4A, OGG, FLAC, or any format that your browser can play.">
          <Input
            type="file"
            accept="audio/*,video/mp4,video/webm"
            className="h-auto py-2 file:mr-3 file:rounded-sm file:border-0 file:bg-ink/8 file:px-2 file:py-1 file:text-ink"
            onChange={({ target }) => choose(target.files?.[0])}
          />
        </Field>
      ) : (
        <RecordField onRecorded={(sound) => read.mutate(sound)} />
      )}
      <div aria-live="polite">
        {read.isPending && <p className="text-muted text-sm">Reading the sound…</p>}
        {read.isError && (
          <Notice tone="danger">{read.error instanceof SoundFault ? read.error.message : UNREADABLE}</Notice>
        )}
        {ready && (
          <Player
            // A new sound needs a new player.
            key={read.submittedAt}
            name="the sound"
            seconds={ready.seconds}
            load={async () => new Blob([ready.wav], { type: 'audio/wav' })}
          />
        )}
      </div>
      <Field label="Name" error={form.errors.name}>
        <Input {...form.bind('name')} maxLength={SOUND_NAME_MAX} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}

function RecordField({ onRecorded }: { onRecorded: (sound: Blob) => void }) {
  const recorder = useRecorder(onRecorded)
  const [hasRecorded, setRecorded] = useState(false)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        {recorder.isRecording ? (
          <Button variant="danger" onClick={recorder.stop}>
            <Square aria-hidden />
            Stop
          </Button>
        ) : (
          <Button
            onClick={() => {
              setRecorded(true)
              recorder.start()
            }}
          >
            <Mic aria-hidden />
            {hasRecorded ? 'Record again' : 'Start recording'}
          </Button>
        )}
        {recorder.isRecording && (
          <span role="timer" className="figures text-sm">
            {formatDuration(recorder.seconds)}
          </span>
        )}
      </div>
      {recorder.fault && <Notice tone="danger">{recorder.fault}</Notice>}
    </div>
  )
}
