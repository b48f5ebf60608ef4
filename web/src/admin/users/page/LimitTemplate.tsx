import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { Confirm } from '../../../common/Confirm.tsx'
import { formatDate } from '../../../common/format/dates.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TitledCard } from '../../../ui/Card.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { guardsQuery } from '../queries.ts'
import { rereadTemplates, templatesQuery } from '../templates/queries.ts'
import { TemplatesDialog } from '../templates/TemplatesDialog.tsx'
import { sayLimits } from '../templates/template-form.ts'
import { type GuardsOfUser, limitLabels } from './guards-form.ts'

/** The template that a customer got last, and a form to apply one. */
export function LimitTemplate({ guards }: { guards: GuardsOfUser }) {
  const templates = useQuery(templatesQuery).data?.templates ?? []
  const [chosen, setChosen] = useState('')
  const [asked, setAsked] = useState<'apply' | 'manage' | null>(null)
  const template = templates.find(({ id }) => String(id) === chosen)
  return (
    <TitledCard
      title="Limit template"
      action={
        <Button size="sm" variant="ghost" onClick={() => setAsked('manage')}>
          Manage templates
        </Button>
      }
    >
      <Applied template={guards.template} />
      {templates.length > 0 && (
        <div className="mt-4 flex items-end gap-2">
          <Field label="Apply a template" className="min-w-0 flex-1">
            <Select value={chosen} onChange={({ target }) => setChosen(target.value)}>
              <option value="">Choose…</option>
              <Options of={templates.map(({ id, name }) => [id, name])} />
            </Select>
          </Field>
          <Button disabled={!template} onClick={() => setAsked('apply')}>
            Apply
          </Button>
        </div>
      )}
      {asked === 'manage' && <TemplatesDialog onClose={() => setAsked(null)} />}
      {asked === 'apply' && template && (
        <Confirm
          title={`Apply ${template.name} to ${guards.user.username}?`}
          text="It replaces all administrator limits. Limits that the template leaves blank return to the default."
          action="Apply template"
          isDanger={false}
          failed="The template could not be applied. Please try again."
          onConfirm={async () => {
            await api('POST /api/admin/users/:id/limit-template', {
              params: { id: guards.user.id },
              body: { template_id: template.id, updated_at: guards.updated_at },
            })
            return { message: `${guards.user.username} has the limits of ${template.name}.` }
          }}
          reread={() => {
            void rereadTemplates()
            return queryClient.invalidateQueries({ queryKey: guardsQuery(guards.user.id).queryKey })
          }}
          onClose={() => setAsked(null)}
        >
          <p className="figures">{sayLimits(template)}</p>
        </Confirm>
      )}
    </TitledCard>
  )
}

function Applied({ template }: { template: GuardsOfUser['template'] }) {
  if (template === null) return <p className="text-muted text-sm">No template was applied yet.</p>
  const { name, applied_at, applied_by, changed } = template
  const fields: Partial<Record<string, string>> = {
    ...limitLabels,
    allowed_countries: limitLabels.allowed,
    blocked_countries: limitLabels.blocked,
    high_risk_allowed: limitLabels.highRisk,
  }
  return (
    <div className="text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="break-words font-medium">{name}</span>
        {changed.length === 0 ? (
          <Badge tone="success">Unchanged</Badge>
        ) : (
          <Badge tone="pending">Changed since</Badge>
        )}
      </p>
      <p className="mt-1 text-muted">
        Applied on {formatDate(applied_at)}
        {applied_by && ` by ${applied_by}`}
      </p>
      {changed.length > 0 && (
        <p className="mt-1">Different now: {changed.map((limit) => fields[limit] ?? limit).join(', ')}</p>
      )}
    </div>
  )
}
