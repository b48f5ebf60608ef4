import type { Step } from '@trunkline/domain/flows'
import type { ReactNode } from 'react'
import { CollectFields, MenuFields } from './AskFields.tsx'
import { ForwardFields, QueueFields, RingFields } from './ConnectFields.tsx'
import { CompareFields, MailFields, SetFields } from './DecideFields.tsx'
import { HoursFields } from './HoursFields.tsx'
import { HttpFields } from './HttpFields.tsx'
import { SoundField } from './SoundField.tsx'
import { RecordFields, VoicemailFields } from './TalkFields.tsx'

type StepFieldsProps = {
  step: Step
  /** Signs web requests. */
  secret: string
  onEdit: (change: object, tag?: string) => void
}

export function StepFields({ step, secret, onEdit }: StepFieldsProps): ReactNode {
  switch (step.kind) {
    case 'play':
      return (
        <SoundField
          label="Caller hears"
          sound={step.sound}
          onChange={(sound) => onEdit({ sound }, 'sound')}
        />
      )
    case 'menu':
      return <MenuFields step={step} onEdit={onEdit} />
    case 'collect':
      return <CollectFields step={step} onEdit={onEdit} />
    case 'hours':
      return <HoursFields step={step} onEdit={onEdit} />
    case 'ring':
      return <RingFields step={step} onEdit={onEdit} />
    case 'forward':
      return <ForwardFields step={step} onEdit={onEdit} />
    case 'queue':
      return <QueueFields step={step} onEdit={onEdit} />
    case 'voicemail':
      return <VoicemailFields step={step} onEdit={onEdit} />
    case 'record':
      return <RecordFields step={step} onEdit={onEdit} />
    case 'set':
      return <SetFields step={step} onEdit={onEdit} />
    case 'compare':
      return <CompareFields step={step} onEdit={onEdit} />
    case 'http':
      return <HttpFields step={step} secret={secret} onEdit={onEdit} />
    case 'mail':
      return <MailFields step={step} onEdit={onEdit} />
    case 'hangup':
      return null
  }
}
