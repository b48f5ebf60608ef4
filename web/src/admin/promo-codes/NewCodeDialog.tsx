import { PROMO_CODE_MAX } from '@trunkline/contract/limits'
import { type PromoType, promoTypeLabels } from '@trunkline/contract/promo-types'
import { Shuffle } from 'lucide-react'
import { useRef, useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { writeDay } from '../../common/period.ts'
import { useDraft } from '../../common/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { focusFault } from '../../ui/focus-fault.ts'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toast.ts'
import { blank, type Faults, faultsIn, inWords, madeUpCode, newCodeFrom } from './promo-form.ts'
import { rereadCodes } from './queries.ts'
import { TermFields } from './TermFields.tsx'

/** What was typed waits for its writer, who may first have to look something up. */
export function NewCodeDialog({ onDone }: { onDone: () => void }) {
  const [typed, write, discard] = useDraft('new promo code', blank)
  const [faults, setFaults] = useState<Faults>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const fields = useRef<HTMLFormElement>(null)

  function edit(change: Partial<typeof typed>) {
    write({ ...typed, ...change })
    setFaults({})
    setRefusal(null)
  }

  async function submit() {
    const found = faultsIn(typed, writeDay(new Date()))
    setFaults(found)
    if (focusFault(fields.current, found)) return
    if (isBusy) return
    setBusy(true)
    try {
      const { promo_code } = await api('POST /api/admin/promo-codes', { body: newCodeFrom(typed) })
      toast.success(`${promo_code.code} can be used now.`)
      discard()
      onDone()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'promo_code_taken') setFaults({ code: error.message })
      else setRefusal(explain(error, 'The promo code could not be made. Please try again.'))
      setBusy(false)
    }
    void rereadCodes()
  }

  return (
    <FormDialog
      title="New promo code"
      description="What a code gives cannot be changed later, as people were told it; when and how often it may be used can."
      label="New promo code"
      action="Create promo code"
      isBusy={isBusy}
      ref={fields}
      onSubmit={() => void submit()}
      onClose={onDone}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Type">
          <Select
            name="type"
            value={typed.type}
            onChange={({ target }) => edit({ type: target.value as PromoType })}
          >
            {Object.entries(promoTypeLabels).map(([type, label]) => (
              <option key={type} value={type}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={typed.type === 'percentage' ? 'Value in %' : 'Value in dollars'} error={faults.value}>
          <Input
            name="value"
            required
            inputMode="decimal"
            autoComplete="off"
            className="figures"
            value={typed.value}
            onChange={({ target }) => edit({ value: target.value })}
          />
        </Field>
      </div>
      <p className="figures rounded-md border bg-sunken px-3 py-2 text-sm" aria-live="polite">
        {inWords(typed.type, typed.value)}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2">
        <Field label="Code" error={faults.code}>
          <Input
            name="code"
            required
            autoComplete="off"
            spellCheck={false}
            maxLength={PROMO_CODE_MAX}
            className="font-mono uppercase placeholder:font-sans placeholder:normal-case"
            placeholder="Such as WELCOME10"
            value={typed.code}
            onChange={({ target }) => edit({ code: target.value })}
          />
        </Field>
        <Button
          className={faults.code && 'mb-7'}
          onClick={() => edit({ code: madeUpCode((bytes) => crypto.getRandomValues(bytes)) })}
        >
          <Shuffle aria-hidden />
          Generate
        </Button>
      </div>
      <TermFields typed={typed} faults={faults} onEdit={edit} />
      {refusal && <Notice tone="danger">{refusal}</Notice>}
    </FormDialog>
  )
}
