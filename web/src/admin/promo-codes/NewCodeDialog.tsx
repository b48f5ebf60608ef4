import { PROMO_CODE_MAX } from '@trunkline/contract/limits'
import { promoTypeLabels } from '@trunkline/contract/promo-types'
import { Shuffle } from 'lucide-react'
import { api } from '../../app/api.ts'
import { useForm } from '../../common/forms/use-form.ts'
import { writeDay } from '../../common/period.ts'
import { useDraft } from '../../common/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toast.ts'
import { blank, generateCode, inWords, newCodeFrom, validateCode } from './promo-form.ts'
import { rereadCodes } from './queries.ts'
import { TermFields } from './TermFields.tsx'

/** The values are a draft: they are still there after a visit to another screen. */
export function NewCodeDialog({ onDone }: { onDone: () => void }) {
  const [draft, write, discard] = useDraft('new promo code', blank)
  const form = useForm({
    initial: blank,
    state: [draft, write],
    validate: (typed) => validateCode(typed, writeDay(new Date())),
    submit: async (typed) => {
      const { promo_code } = await api('POST /api/admin/promo-codes', { body: newCodeFrom(typed) })
      toast.success(`${promo_code.code} is now active.`)
      discard(typed)
      const isStillOpen = form.ref.current !== null
      if (isStillOpen) onDone()
    },
    failed: 'The promo code could not be created. Please try again.',
    fieldOf: { promo_code_taken: 'code' },
    onSettled: rereadCodes,
  })
  const { bind, edit, errors, values } = form

  return (
    <FormDialog
      form={form}
      title="New promo code"
      description="The type, value and code cannot be changed later. Expiry and limits can."
      label="New promo code"
      action="Create promo code"
      onClose={onDone}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Type">
          <Select {...bind('type')}>
            <Options of={Object.entries(promoTypeLabels)} />
          </Select>
        </Field>
        <Field label={values.type === 'percentage' ? 'Value in %' : 'Value in dollars'} error={errors.value}>
          <Input {...bind('value')} required inputMode="decimal" autoComplete="off" className="figures" />
        </Field>
      </div>
      <p className="figures rounded-md border bg-sunken px-3 py-2 text-sm" aria-live="polite">
        {inWords(values.type, values.value)}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2">
        <Field label="Code" error={errors.code}>
          <Input
            {...bind('code')}
            required
            autoComplete="off"
            spellCheck={false}
            maxLength={PROMO_CODE_MAX}
            className="font-mono uppercase placeholder:font-sans placeholder:normal-case"
            placeholder="e.g. WELCOME10"
          />
        </Field>
        <Button
          className={errors.code && 'mb-7'}
          onClick={() => edit({ code: generateCode((bytes) => crypto.getRandomValues(bytes)) })}
        >
          <Shuffle aria-hidden />
          Generate
        </Button>
      </div>
      <TermFields form={form} />
    </FormDialog>
  )
}
