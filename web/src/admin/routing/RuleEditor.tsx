import { useMutation, useQuery } from '@tanstack/react-query'
import {
  RULE_WINDOW_MINUTES,
  SIMULATED_DAYS_DEFAULT,
  SIMULATION_TIMEOUT_MS,
} from '@trunkline/contract/limits'
import type { RoutingRule } from '@trunkline/contract/routing-rules'
import { ApiError, api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { formatMinutes } from '../../common/format/durations.ts'
import { ConflictNotice } from '../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../common/forms/use-edit-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toast.ts'
import { CountryCodeSelect } from '../CountryCodeSelect.tsx'
import { plansQuery, trunksQuery } from '../trunks/queries.ts'
import { rereadRules, rulesQuery } from './queries.ts'
import { OrderFields, ShareFields } from './RuleTrunks.tsx'
import { draftOf, type RuleValues, ruleLabels, trunksOf, validateRule, valuesOf } from './rule-form.ts'
import { SimulationResult } from './SimulationResult.tsx'
import { modeWords, scopeOf } from './words.ts'

/** Adds a rule, or edits one. Plan and country of a rule do not change. */
export function RuleEditor({ rule, onClose }: { rule: RoutingRule | null; onClose: () => void }) {
  const plans = useQuery(plansQuery).data ?? []
  const trunks = useQuery(trunksQuery).data ?? []
  const servingOf = ({ plan_id, country }: RuleValues) =>
    trunksOf(plans.find(({ id }) => String(id) === plan_id)?.name ?? '', country, trunks)
  const form = useEditForm<RoutingRule | null, RuleValues>({
    opened: rule,
    toValues: (read) => valuesOf(read),
    labels: ruleLabels,
    show: (name, values) => sayValue(name, values, servingOf(values)),
    validate: (values) => validateRule(values, servingOf(values)),
    submit: async (values, base) => {
      const body = { ...draftOf(values, servingOf(values)), version: base?.version ?? null }
      const answer = await api('PUT /api/admin/routing-rules', { body })
      toast.success(`The rule of ${answer.rule.planname} was saved. New calls follow it.`)
      onClose()
    },
    reload: async (): Promise<RoutingRule> => {
      const rules = await queryClient.fetchQuery({ ...rulesQuery, staleTime: 0 })
      const { plan_id, country }: RuleValues = form.values
      const saved = rules.find(
        (each) => String(each.plan_id) === plan_id && (each.country_code ?? '') === country,
      )
      if (!saved) throw new ApiError('Someone else deleted this rule.')
      return saved
    },
    failed: 'The rule could not be saved.',
    onSettled: rereadRules,
  })
  const { values, errors, bind, edit } = form
  const serving = servingOf(values)
  const isKnown = form.base !== null
  return (
    <FormDialog
      form={form}
      title={rule ? `${rule.planname}, ${scopeOf(rule)}` : 'Add routing rule'}
      label="Routing rule"
      action="Save rule"
      maxWidth={760}
      onClose={onClose}
    >
      <ConflictNotice form={form} />
      {!isKnown && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Plan" error={errors.plan_id}>
            <Select {...bind('plan_id')}>
              <option value="">Choose a plan</option>
              <Options of={plans.map(({ id, name }) => [id, name])} />
            </Select>
          </Field>
          <Field label="Country">
            <CountryCodeSelect none="All countries without a rule" {...bind('country')} />
          </Field>
        </div>
      )}
      <Field label="First trunk" hint={modeWords[values.mode].hint}>
        <Select
          name="mode"
          value={values.mode}
          onChange={({ target }) => edit({ mode: target.value as RuleValues['mode'] })}
        >
          <Options of={Object.entries(modeWords).map(([mode, { label }]) => [mode, label])} />
        </Select>
      </Field>
      {values.plan_id !== '' && serving.length === 0 && (
        <Notice tone="pending">No trunk serves this plan and country.</Notice>
      )}
      {values.mode === 'order' && (
        <OrderFields serving={serving} order={values.order} onChange={(order) => edit({ order })} />
      )}
      {values.mode === 'share' && (
        <ShareFields
          serving={serving}
          shares={values.shares}
          error={errors.shares}
          onChange={(shares) => edit({ shares })}
        />
      )}
      <Checkbox
        label="Try a trunk last while its ASR is low"
        hint={`Counts attempts ${values.country === '' ? 'to all countries' : 'to this country'}. Every 20th call still uses the normal order, so a trunk that works again returns early.`}
        {...form.bindChecked('has_threshold')}
      />
      {values.has_threshold && (
        <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-4">
          <Field label="Lowest ASR (%)" error={errors.min_asr}>
            <Input {...bind('min_asr')} inputMode="numeric" autoComplete="off" />
          </Field>
          <Field label="Attempts" error={errors.min_calls}>
            <Input {...bind('min_calls')} inputMode="numeric" autoComplete="off" />
          </Field>
          <Field label="Window">
            <Select {...bind('window_minutes')}>
              <Options of={RULE_WINDOW_MINUTES.map((minutes) => [minutes, formatMinutes(minutes)])} />
            </Select>
          </Field>
          <Field label="Rest (minutes)" error={errors.rest_minutes}>
            <Input {...bind('rest_minutes')} inputMode="numeric" autoComplete="off" />
          </Field>
        </div>
      )}
      <Simulate
        draft={draftOf(values, serving)}
        isValid={Object.keys(validateRule(values, serving)).length === 0}
      />
    </FormDialog>
  )
}

function sayValue(name: keyof RuleValues, values: RuleValues, serving: ReturnType<typeof trunksOf>): string {
  const nameOf = (id: number) => serving.find((trunk) => trunk.id === id)?.name ?? `Trunk ${id}`
  if (name === 'mode') return modeWords[values.mode].label
  if (name === 'order') return values.order.map(nameOf).join(', ') || 'None'
  if (name === 'shares')
    return Object.entries(values.shares)
      .map(([id, percent]) => `${nameOf(Number(id))} ${percent}%`)
      .join(', ')
  const value = values[name]
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
}

/** Replays the calls of the past week. A result disappears when the draft changes. */
function Simulate({ draft, isValid }: { draft: ReturnType<typeof draftOf>; isValid: boolean }) {
  const asked = JSON.stringify(draft)
  const simulation = useMutation({
    mutationFn: async () => {
      const body = { ...draft, days: SIMULATED_DAYS_DEFAULT }
      const limits = { timeoutMs: SIMULATION_TIMEOUT_MS }
      const answer = await api('POST /api/admin/routing-rules/simulate', { body, ...limits })
      return { asked, result: answer.simulation }
    },
  })
  const { data } = simulation
  return (
    <section className="border-t pt-4" aria-label="Simulation" aria-live="polite">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button busy={simulation.isPending} disabled={!isValid} onClick={() => simulation.mutate()}>
          Simulate last week
        </Button>
        <span className="text-muted text-sm">
          Shows what would have changed. Nothing is saved and no call is affected.
        </span>
      </div>
      {simulation.isError && (
        <Notice tone="danger" className="mt-3">
          {explain(simulation.error, 'The simulation failed. Please try again.')}
        </Notice>
      )}
      {data && data.asked === asked && <SimulationResult result={data.result} />}
    </section>
  )
}
