import { useQuery } from '@tanstack/react-query'
import type { RequestOf } from '@trunkline/contract'
import type { BulkAction } from '@trunkline/contract/bulk-actions'
import { BULK_TIMEOUT_MS, USER_TAG_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import { useId, useState } from 'react'
import { api } from '../../../app/api.ts'
import { useForm } from '../../../common/forms/use-form.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { tagsQuery } from '../queries.ts'
import { templatesQuery } from '../templates/queries.ts'
import { BulkPreview } from './BulkPreview.tsx'
import type { BulkUsers, Preview } from './selection.ts'
import { actionLabels, sayCount } from './words.ts'

type Kind = BulkAction['kind']
type Given = RequestOf<'POST /api/admin/bulk-actions'>['body']['action']

type BulkDialogProps = { users: BulkUsers; count: number; onClose: () => void; onDone: () => void }

const blank = { kind: 'add_tag' as Kind, tag: '', template: '', route: '' }
type Typed = typeof blank

/** Asks for an action, shows its preview, then applies it. */
export function BulkDialog({ users, count, onClose, onDone }: BulkDialogProps) {
  const [typed, setTyped] = useState(blank)
  const [preview, setPreview] = useState<Preview | null>(null)
  const form = useForm({
    initial: blank,
    state: [typed, setTyped],
    validate: missing,
    submit: async (values) => setPreview(await ask(values)),
    failed: 'The preview could not be made. Please try again.',
  })
  const ask = (values: Typed) =>
    api('POST /api/admin/bulk-actions', {
      body: { action: actionFrom(values), users },
      timeoutMs: BULK_TIMEOUT_MS,
    })

  if (preview)
    return (
      <BulkPreview
        key={preview.id}
        kind={typed.kind}
        preview={preview}
        onBack={() => setPreview(null)}
        onAgain={async () => setPreview(await ask(typed))}
        onClose={onClose}
        onDone={onDone}
      />
    )
  return (
    <FormDialog
      form={form}
      title={`Change ${sayCount(count)}`}
      description="A preview shows every change first."
      action="Preview"
      onClose={onClose}
    >
      <Field label="Action">
        <Select {...form.bind('kind')}>
          <Options of={Object.entries(actionLabels)} />
        </Select>
      </Field>
      {(typed.kind === 'add_tag' || typed.kind === 'remove_tag') && (
        <TagField error={form.errors.tag} {...form.bind('tag')} />
      )}
      {typed.kind === 'apply_template' && (
        <TemplateField error={form.errors.template} {...form.bind('template')} />
      )}
      {typed.kind === 'select_route' && <RouteField error={form.errors.route} {...form.bind('route')} />}
    </FormDialog>
  )
}

function missing({ kind, tag, template, route }: Typed) {
  if ((kind === 'add_tag' || kind === 'remove_tag') && tag.trim() === '')
    return { tag: ownMessages.tagMissing }
  if (kind === 'apply_template' && template === '') return { template: 'Please choose a template.' }
  if (kind === 'select_route' && route === '') return { route: 'Please choose a route.' }
  return {}
}

function actionFrom({ kind, tag, template, route }: Typed): Given {
  if (kind === 'add_tag' || kind === 'remove_tag') return { kind, tag }
  if (kind === 'apply_template') return { kind, template_id: Number(template) }
  if (kind === 'select_route') return { kind, route_id: Number(route) }
  return { kind }
}

type FieldOf = {
  error: string | undefined
  name: string
  value: string
  onChange: (event: { target: { value: string } }) => void
}

function TagField({ error, ...bound }: FieldOf) {
  const list = useId()
  const used = useQuery(tagsQuery).data?.tags ?? []
  return (
    <>
      <Field label="Tag" error={error}>
        <Input {...bound} list={list} autoComplete="off" maxLength={USER_TAG_MAX} />
      </Field>
      <datalist id={list}>
        {used.map(({ tag }) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </>
  )
}

function TemplateField({ error, ...bound }: FieldOf) {
  const { data } = useQuery(templatesQuery)
  const isNone = data?.templates.length === 0
  return (
    <Field label="Template" error={error} hint={isNone && 'Add one under Limit templates first.'}>
      <Select {...bound}>
        <option value="">Choose…</option>
        <Options of={data?.templates.map(({ id, name }) => [id, name])} />
      </Select>
    </Field>
  )
}

function RouteField({ error, ...bound }: FieldOf) {
  const { data } = useQuery({
    queryKey: ['admin', 'users', 'routes'],
    queryFn: ({ signal }) => api('GET /api/routes', { signal }),
  })
  return (
    <Field label="Route" error={error} hint="It becomes the selected route of its country.">
      <Select {...bound}>
        <option value="">Choose…</option>
        <Options of={data?.routes.map(({ id, country, name }) => [id, `${country}: ${name}`])} />
      </Select>
    </Field>
  )
}
