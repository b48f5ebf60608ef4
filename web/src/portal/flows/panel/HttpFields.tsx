import { CopyButton } from '../../../ui/CopyButton.tsx'
import { CheckedInput, WholeNumber } from './CheckedInput.tsx'
import { TemplateInput } from './DecideFields.tsx'
import { binder, type FieldsOf } from './fields.ts'

const namesIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

export const HttpFields = ({ step, onEdit, secret }: FieldsOf<'http'> & { secret: string }) => {
  const bind = binder(step, onEdit)
  return (
    <>
      <TemplateInput
        label="Address"
        {...bind('url')}
        hint="Starts with https. Receives the variables of the call as JSON, signed with the secret of this flow."
      />
      <CheckedInput
        label="Save from the answer"
        value={step.saves.join(', ')}
        placeholder="name, balance"
        hint="Fields of the JSON answer, separated by commas. They become variables."
        check={(text) =>
          namesIn(text).length <= 20 && namesIn(text).every((name) => /^[a-z][a-z0-9_]{0,39}$/.test(name))
            ? null
            : 'Use up to 20 names of small letters, digits and underscores.'
        }
        onValid={(text) => onEdit({ saves: namesIn(text) }, 'saves')}
      />
      <WholeNumber label="Wait for the answer (seconds)" {...bind('seconds')} min={1} max={20} />
      <div>
        <p className="mb-1.5 font-medium text-sm">Secret</p>
        <div className="flex items-center gap-2">
          <code className="min-w-0 flex-1 truncate rounded-md border bg-ground px-2.5 py-1.5 font-mono text-xs">
            {secret}
          </code>
          <CopyButton text={secret} what="the secret" />
        </div>
        <p className="mt-1.5 text-muted text-sm">Your server checks the signature of requests with it.</p>
      </div>
    </>
  )
}
