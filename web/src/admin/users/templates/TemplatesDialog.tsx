import { useQuery } from '@tanstack/react-query'
import type { LimitTemplate } from '@trunkline/contract/limit-templates'
import { LIMIT_TEMPLATE_NAME_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import { api } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { Confirm } from '../../../common/Confirm.tsx'
import { formatCount } from '../../../common/format/numbers.ts'
import { ConflictNotice } from '../../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../../common/forms/use-edit-form.ts'
import { LimitFields } from '../../../common/guards/LimitFields.tsx'
import { type ListName, validateLimits } from '../../../common/guards/limits-form.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Select } from '../../../ui/Select.tsx'
import { toast } from '../../../ui/toast.ts'
import { NamedListDialog } from '../../NamedListDialog.tsx'
import { savedEntry } from '../../saved-entry.ts'
import { rereadTemplates, templatesQuery } from './queries.ts'
import { fieldsFrom, sayLimits, type Typed, templateLabels, typedFrom } from './template-form.ts'

/** Lists the templates. */
export const TemplatesDialog = ({ onClose }: { onClose: () => void }) => (
  <NamedListDialog
    title="Limit templates"
    description="Sets of limits to apply to customers. Customers keep their limits when a template changes."
    maxWidth={560}
    query={useQuery({ ...templatesQuery, select: ({ templates }) => templates })}
    failed="The templates could not be loaded."
    empty={{ title: 'No templates', text: 'Add a set of limits that you use for several customers.' }}
    add="Add template"
    details={(template) => (
      <>
        <p className="figures break-words text-muted text-sm">{sayLimits(template)}</p>
        <p className="figures text-muted text-sm">{sayUsers(template.users)}</p>
      </>
    )}
    form={(template, close) => <TemplateForm template={template} onClose={close} />}
    deletion={(template, close) => <DeleteTemplate template={template} onClose={close} />}
    onClose={onClose}
  />
)

const sayUsers = (users: number) =>
  users === 0 ? 'Not applied yet' : `Last template of ${formatCount(users, 'user')}`

function TemplateForm({ template, onClose }: { template: LimitTemplate | null; onClose: () => void }) {
  const form = useEditForm<LimitTemplate | null, Typed, ListName>({
    opened: template,
    toValues: typedFrom,
    labels: templateLabels,
    validate: (typed) => ({
      ...(typed.name.trim() === '' && { name: ownMessages.templateNameMissing }),
      ...validateLimits(typed),
    }),
    submit: async (typed, base) => {
      const body = fieldsFrom(typed, base)
      if (base)
        await api('PATCH /api/admin/limit-templates/:id', {
          params: { id: base.id },
          body: { ...body, version: base.version },
        })
      else await api('POST /api/admin/limit-templates', { body })
      toast.success('Template saved.')
      onClose()
    },
    reload: async (base) => {
      const { templates } = await queryClient.fetchQuery({ ...templatesQuery, staleTime: 0 })
      return savedEntry(templates, base?.id, 'template')
    },
    failed: 'The template could not be saved. Please try again.',
    onSettled: rereadTemplates,
  })
  return (
    <FormDialog
      form={form}
      title={template ? `Edit ${template.name}` : 'Add limit template'}
      action="Save template"
      onClose={onClose}
    >
      <ConflictNotice form={form} />
      <Field label="Name" error={form.errors.name}>
        <Input {...form.bind('name')} autoComplete="off" maxLength={LIMIT_TEMPLATE_NAME_MAX} />
      </Field>
      <LimitFields
        typed={form.values}
        faults={form.errors}
        placeholderOf={() => 'Default'}
        allowedHint="Leave blank to allow every country."
        allowable={null}
        onEdit={form.edit}
      />
      <Field label={templateLabels.highRisk}>
        <Select {...form.bind('highRisk')}>
          <option value="default">Default</option>
          <option value="allowed">Allowed</option>
          <option value="blocked">Blocked</option>
        </Select>
      </Field>
    </FormDialog>
  )
}

const DeleteTemplate = ({ template, onClose }: { template: LimitTemplate; onClose: () => void }) => (
  <Confirm
    title={`Delete ${template.name}?`}
    text="Customers keep the limits that they got from it."
    action="Delete template"
    failed="The template could not be deleted. Please try again."
    onConfirm={() => api('DELETE /api/admin/limit-templates/:id', { params: { id: template.id } })}
    reread={rereadTemplates}
    onClose={onClose}
  />
)
