import { useMutation } from '@tanstack/react-query'
import { Mic, Square } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { formatDuration } from '../format/durations.ts'
import { Player } from './Player.tsx'
import { useRecorder } from './use-recorder.ts'
import { readSound, SoundFault, UNREADABLE } from './wav.ts'

/** Decodes what the user chooses or records. `data` is the sound that is ready to be sent. */
export const useSoundSource = () => useMutation({ mutationFn: readSound })

type SoundSourceProps = {
  origin: 'upload' | 'microphone'
  source: ReturnType<typeof useSoundSource>
  onFile?: (file: File) => void
}

/** A file of any format that the browser knows, or the microphone, with a player for the result. */
export const SoundSource = ({ origin, source, onFile }: SoundSourceProps) => (
  <>
    {origin === 'upload' ? (
      <Field label="File" hint="WAV, MP3, M4A, OGG, FLAC, or any format that your browser can play.">
        <Input
          type="file"
          accept="audio/*,video/mp4,video/webm"
          className="h-auto py-2 file:mr-3 file:rounded-sm file:border-0 file:bg-ink/8 file:px-2 file:py-1 file:text-ink"
          onChange={({ target }) => {
            const file = target.files?.[0]
            if (!file) return
            onFile?.(file)
            source.mutate(file)
          }}
        />
      </Field>
    ) : (
      <RecordField onRecorded={(sound) => source.mutate(sound)} />
    )}
    <div aria-live="polite">
      {source.isPending && <p className="text-muted text-sm">Reading the sound…</p>}
      {source.isError && (
        <Notice tone="danger">
          {source.error instanceof SoundFault ? source.error.message : UNREADABLE}
        </Notice>
      )}
      {source.data && (
        <Player
          // A new sound needs a new player.
          key={source.submittedAt}
          name="the sound"
          seconds={source.data.seconds}
          load={async () => new Blob([source.data.wav], { type: 'audio/wav' })}
        />
      )}
    </div>
  </>
)

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
            busy={recorder.isStarting}
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
