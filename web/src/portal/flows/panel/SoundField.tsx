import { useQuery } from '@tanstack/react-query'
import { FLOW_TEXT_MAX } from '@trunkline/contract/limits'
import { type Language, languages, type Sound } from '@trunkline/domain/flows'
import { Mic, Upload } from 'lucide-react'
import { useState } from 'react'
import { languageWords } from '../../../common/languages.ts'
import { fetchSound } from '../../../common/sound/fetch-sound.ts'
import { ListenButton } from '../../../common/sound/ListenButton.tsx'
import { Player } from '../../../common/sound/Player.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { Textarea } from '../../../ui/Textarea.tsx'
import { soundsQuery } from '../queries.ts'
import { AddSound } from '../sounds/AddSound.tsx'
import { loadSound } from '../sounds/load-sound.ts'

type SoundFieldProps<Given extends Sound | null> = {
  label: string
  sound: Given
  /** What null means, if it is allowed. */
  none?: string
  /** Texts can contain variables of the call. */
  hasVariables?: boolean
  onChange: (sound: Given) => void
}

const TEXT = 'text'
const LIBRARY = 'file'

/** A text that is spoken, or a sound of the library. */
export function SoundField<Given extends Sound | null>({
  label,
  sound,
  none,
  hasVariables = true,
  onChange,
}: SoundFieldProps<Given>) {
  const { data: sounds } = useQuery(soundsQuery)
  const [adding, setAdding] = useState<'upload' | 'microphone' | null>(null)
  // Changing the kind and back loses nothing.
  const [lastText, setLastText] = useState<Sound>({ kind: 'text', text: '', language: 'en' })
  const change = (next: Sound | null) => onChange(next as Given)

  function choose(kind: string) {
    if (sound?.kind === 'text') setLastText(sound)
    if (kind === TEXT) change(sound?.kind === 'text' ? sound : lastText)
    else if (kind === LIBRARY) change({ kind: 'file', soundId: sounds?.[0]?.id ?? 0 })
    else change(null)
  }

  return (
    <div className="flex flex-col gap-3">
      <Field label={label}>
        <Select value={sound?.kind ?? ''} onChange={({ target }) => choose(target.value)}>
          {none && <option value="">{none}</option>}
          <option value={TEXT}>Spoken text</option>
          <option value={LIBRARY} disabled={sound?.kind !== 'file' && !sounds?.length}>
            Sound from the library
          </option>
        </Select>
      </Field>
      {sound?.kind === 'text' && <Spoken sound={sound} hasVariables={hasVariables} onChange={change} />}
      {sound?.kind === 'file' && (
        <>
          <Field
            label="Sound"
            error={
              sounds && !sounds.some(({ id }) => id === sound.soundId)
                ? 'This sound no longer exists.'
                : undefined
            }
          >
            <Select
              value={sound.soundId}
              onChange={({ target }) => change({ kind: 'file', soundId: Number(target.value) })}
            >
              {!sounds?.some(({ id }) => id === sound.soundId) && (
                <option value={sound.soundId}>Choose a sound</option>
              )}
              <Options of={sounds?.map(({ id, name }) => [id, name])} />
            </Select>
          </Field>
          {sounds
            ?.filter(({ id }) => id === sound.soundId)
            .map(({ id, name, seconds }) => (
              <Player key={id} name={name} seconds={seconds} load={loadSound(id)} />
            ))}
        </>
      )}
      {sound && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => setAdding('upload')}>
            <Upload aria-hidden />
            Upload
          </Button>
          <Button size="sm" onClick={() => setAdding('microphone')}>
            <Mic aria-hidden />
            Record
          </Button>
        </div>
      )}
      {adding && (
        <AddSound
          origin={adding}
          onAdded={({ id }) => change({ kind: 'file', soundId: id })}
          onClose={() => setAdding(null)}
        />
      )}
    </div>
  )
}

type TextSound = Extract<Sound, { kind: 'text' }>

const SPOKEN_VARIABLES_HINT =
  'Can contain variables, for example {{caller}}. {{spell caller}} reads it out character by character.'

type SpokenProps = { sound: TextSound; hasVariables: boolean; onChange: (sound: Sound) => void }

const Spoken = ({ sound, hasVariables, onChange }: SpokenProps) => (
  <>
    <Field label="Text" hint={hasVariables ? SPOKEN_VARIABLES_HINT : undefined}>
      <Textarea
        rows={3}
        value={sound.text}
        maxLength={FLOW_TEXT_MAX}
        onChange={({ target }) => onChange({ ...sound, text: target.value })}
      />
    </Field>
    <div className="flex items-end gap-2">
      <Field label="Language" className="min-w-0 flex-1">
        <Select
          value={sound.language}
          onChange={({ target }) => onChange({ ...sound, language: target.value as Language })}
        >
          <Options of={languages.map((language) => [language, languageWords[language]])} />
        </Select>
      </Field>
      {/* A changed text is spoken anew. */}
      <ListenButton
        key={`${sound.language} ${sound.text}`}
        isDisabled={sound.text.trim() === ''}
        load={() => fetchSound('POST /api/speech', { body: { text: sound.text, language: sound.language } })}
        failed="The text could not be spoken. Please try again."
      />
    </div>
  </>
)
