import { useForm } from '../../common/forms/use-form.ts'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { toast } from '../../ui/toast.ts'

type RenameDialogProps = {
  /** What gets the name, such as `flow`. */
  kind: string
  name: string
  maxLength: number
  rename: (name: string) => Promise<void>
  onClose: () => void
}

export function RenameDialog({ kind, name, maxLength, rename, onClose }: RenameDialogProps) {
  const form = useForm({
    initial: { name },
    validate: (values) => (values.name.trim() === '' ? { name: 'Please enter a name.' } : {}),
    submit: async (values) => {
      await rename(values.name.trim())
      toast.success(`The ${kind} was renamed.`)
      onClose()
    },
    fieldOf: { name_taken: 'name' },
    failed: `The ${kind} could not be renamed. Please try again.`,
  })
  return (
    <FormDialog form={form} title={`Rename ${kind}`} action="Save" onClose={onClose}>
      <Field label="Name" error={form.errors.name}>
        <Input {...form.bind('name')} maxLength={maxLength} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
