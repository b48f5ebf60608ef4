import { useQuery } from '@tanstack/react-query'
import type { RoutingRule, RuleTrunkState } from '@trunkline/contract/routing-rules'
import { Route as RouteIcon } from 'lucide-react'
import { useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { BackLink } from '../../common/BackLink.tsx'
import { Confirm } from '../../common/Confirm.tsx'
import { formatDateTime } from '../../common/format/dates.ts'
import { formatCount, formatPercent } from '../../common/format/numbers.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { AddButton } from '../../ui/AddButton.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button, inRowClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { aboveFoldClass, FoldButton } from '../../ui/FoldButton.tsx'
import { SkeletonCard } from '../../ui/SkeletonCard.tsx'
import { toast } from '../../ui/toast.ts'
import { rereadRules, rulesQuery } from './queries.ts'
import { RuleEditor } from './RuleEditor.tsx'
import { modeWords, sayQuality, sayThreshold, sayTrunks, scopeOf } from './words.ts'

type Opened = { kind: 'edit'; rule: RoutingRule | null } | { kind: 'delete'; rule: RoutingRule } | null

export function Routing() {
  const query = useQuery(rulesQuery)
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  return (
    <>
      <header className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 lg:mb-2">
        <BackLink to="/admin-panal/trunks" search={{ view: 'order' }} className="mb-0!">
          Trunks &amp; Plans
        </BackLink>
        <h1 className="font-semibold text-2xl tracking-tight max-sm:w-full">Routing rules</h1>
        <AddButton
          variant="primary"
          className="ml-auto max-sm:w-full"
          onClick={() => setOpened({ kind: 'edit', rule: null })}
        >
          Add rule
        </AddButton>
        <p className="w-full text-muted text-sm">
          A rule orders the trunks of a plan, or of a plan and a country. The rule of a country wins. Without
          a rule, calls use the failover order.
        </p>
      </header>
      <Loaded
        query={query}
        failed="The routing rules could not be loaded."
        waiting={<SkeletonCard rows={5} className="h-8" />}
      >
        {(rules) =>
          rules.length === 0 ? (
            <Card>
              <EmptyState
                icon={<RouteIcon />}
                title="No routing rules"
                text="All plans use the failover order. Add a rule to route by cost, by shares or by quality."
              />
            </Card>
          ) : (
            <Card className="p-0">
              <ul className="divide-y" aria-label="Routing rules">
                {rules.map((rule) => (
                  <RuleRow key={rule.id} rule={rule} onOpen={(kind) => setOpened({ kind, rule })} />
                ))}
              </ul>
            </Card>
          )
        }
      </Loaded>
      {opened?.kind === 'edit' && <RuleEditor rule={opened.rule} onClose={close} />}
      {opened?.kind === 'delete' && <DeleteRule rule={opened.rule} onClose={close} />}
    </>
  )
}

const nameOf = (rule: RoutingRule): string => `${rule.planname}, ${scopeOf(rule)}`

/** One line on wide screens. Opens to the whole rule and the state of its trunks. */
function RuleRow({ rule, onOpen }: { rule: RoutingRule; onOpen: (kind: 'edit' | 'delete') => void }) {
  const demoted = rule.states.filter((state) => state.demoted_since !== null).length
  // Opens by itself while a trunk is tried last.
  const [isOpen = demoted > 0, setOpen] = useState<boolean>()
  return (
    <li aria-label={nameOf(rule)}>
      <div className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 px-4 py-3 text-sm hover:bg-ink/3 lg:flex lg:min-h-9 lg:py-1">
        <h2 className="flex min-w-0 flex-wrap items-baseline gap-x-2.5 lg:w-72 lg:shrink-0 lg:flex-nowrap">
          <span className="break-words font-semibold lg:truncate">{rule.planname}</span>
          <span className="text-muted lg:shrink-0">{scopeOf(rule)}</span>
        </h2>
        <p className="justify-self-end lg:w-24 lg:shrink-0">
          <Badge>{modeWords[rule.mode].label}</Badge>
        </p>
        <p className="figures truncate max-lg:col-span-2 lg:min-w-0 lg:flex-1">{sayTrunks(rule)}</p>
        {demoted > 0 ? (
          <Badge tone="pending" className="justify-self-start">
            {formatCount(demoted, 'trunk')} tried last
          </Badge>
        ) : (
          <p className="figures text-muted lg:shrink-0">{sayThreshold(rule)}</p>
        )}
        <div className="flex gap-1 justify-self-end">
          <Button
            size="sm"
            className={cx(inRowClass, aboveFoldClass)}
            onClick={() => onOpen('edit')}
            aria-label={`Edit ${nameOf(rule)}`}
          >
            Edit
          </Button>
          <Button
            size="sm"
            variant="ghost"
            className={cx(inRowClass, aboveFoldClass)}
            onClick={() => onOpen('delete')}
            aria-label={`Delete ${nameOf(rule)}`}
          >
            Delete
          </Button>
          <FoldButton of={nameOf(rule)} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        </div>
      </div>
      {isOpen && <RuleDetails rule={rule} />}
    </li>
  )
}

const RuleDetails = ({ rule }: { rule: RoutingRule }) => (
  <div className="figures px-4 pb-3 text-sm">
    {rule.trunks.length > 0 && <p className="break-words">{sayTrunks(rule)}</p>}
    <p className="mt-1 text-muted">{sayQuality(rule)}</p>
    {rule.quality &&
      (rule.states.length === 0 ? (
        <p className="mt-2 text-muted">The trunks are checked within a minute.</p>
      ) : (
        <ul className="mt-2 divide-y border-t" aria-label={`Trunks of ${nameOf(rule)}`}>
          {rule.states.map((state) => (
            <TrunkState key={state.trunk_id} rule={rule} state={state} />
          ))}
        </ul>
      ))}
  </div>
)

const TrunkState = ({ rule, state }: { rule: RoutingRule; state: RuleTrunkState }) => (
  <li className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5 py-2 text-sm">
    <span className="min-w-0 break-words font-medium">{state.trunk_name}</span>
    {state.demoted_since === null ? (
      <Badge tone="success">In place</Badge>
    ) : (
      <Badge tone="pending">Tried last</Badge>
    )}
    <span className="figures ml-auto text-muted">
      {state.calls === 0
        ? 'No attempts'
        : `ASR ${formatPercent(state.asr)} of ${formatCount(state.calls, 'attempt')}`}
      {state.demoted_since !== null && ' since then'}
    </span>
    {state.demoted_since !== null && state.returns_at !== null && (
      <div className="flex w-full flex-wrap items-center gap-x-4 gap-y-2">
        <p className="figures min-w-52 flex-1 text-muted">
          Since {formatDateTime(state.demoted_since)}, with an ASR of {formatPercent(state.demoted_asr)}.
          Returns at {formatDateTime(state.returns_at)}, or earlier if trial calls succeed.
        </p>
        <ReturnButton rule={rule} state={state} />
      </div>
    )}
  </li>
)

function ReturnButton({ rule, state }: { rule: RoutingRule; state: RuleTrunkState }) {
  const [isBusy, setBusy] = useState(false)
  async function returnTrunk() {
    setBusy(true)
    try {
      const { message } = await api('POST /api/admin/routing-rules/:id/return', {
        params: { id: rule.id },
        body: { trunk_id: state.trunk_id },
      })
      toast.success(message)
    } catch (error) {
      toast.error(explain(error, 'The trunk could not be returned.'))
    }
    await rereadRules()
    setBusy(false)
  }
  return (
    <Button
      size="sm"
      busy={isBusy}
      onClick={() => void returnTrunk()}
      aria-label={`Return ${state.trunk_name} now, ${nameOf(rule)}`}
    >
      Return now
    </Button>
  )
}

const DeleteRule = ({ rule, onClose }: { rule: RoutingRule; onClose: () => void }) => (
  <Confirm
    title={`Delete the rule of ${nameOf(rule)}?`}
    action="Delete rule"
    failed="The rule could not be deleted."
    onConfirm={() =>
      api('DELETE /api/admin/routing-rules/:id', {
        params: { id: rule.id },
        query: { version: rule.version },
      })
    }
    reread={rereadRules}
    onClose={onClose}
  >
    <p>
      {rule.country_code === null
        ? 'Its calls use the failover order again.'
        : 'Its calls use the rule of the plan, or the failover order.'}
    </p>
  </Confirm>
)
