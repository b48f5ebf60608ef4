import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { explain } from '../../app/api.ts'
import { BackLink } from '../../common/BackLink.tsx'
import { Failure } from '../../common/Failure.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { LoadingNote, Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
import { History } from './History.tsx'
import { Preview } from './Preview.tsx'
import { previewQuery } from './queries.ts'
import { RuleForm } from './RuleForm.tsx'
import { FIRST_RULE, type Rule, type RuleDraft, ruleOf } from './rule-form.ts'

const DELAY_MS = 500
const FIRST = ruleOf(FIRST_RULE) as Rule

/** New prices for many routes at once, from the cost of their trunks. */
export function BulkPricing() {
  const [draft, setDraft] = useState<RuleDraft>(FIRST_RULE)
  const [asked, setAsked] = useState<Rule>(FIRST)
  // On a low screen, where the prices would be far below the rule.
  const [isRuleShown, showRule] = useState(false)
  const typed = ruleOf(draft)
  const isAsked = JSON.stringify(typed) === JSON.stringify(asked)
  const query = useQuery(previewQuery(asked))

  useEffect(() => {
    const rule = ruleOf(draft)
    if (!rule) return
    const timer = setTimeout(() => setAsked(rule), DELAY_MS)
    return () => clearTimeout(timer)
  }, [draft])

  return (
    <>
      <div className="mb-4 lg:mb-2 lg:flex lg:items-baseline lg:gap-3 short:mb-2 short:flex short:items-baseline short:gap-3">
        <BackLink to="/admin-panal/trunks">Trunks &amp; Plans</BackLink>
        <h1 className="font-semibold text-2xl tracking-tight">Bulk pricing</h1>
        <p className="text-muted text-sm short:max-lg:hidden">
          Set many prices from their cost. Nothing changes until you apply the preview.
        </p>
        <span className="ml-auto hidden short:max-lg:block">
          <Button
            size="sm"
            aria-expanded={isRuleShown}
            aria-controls="pricing-rule"
            onClick={() => showRule(!isRuleShown)}
          >
            {isRuleShown ? 'Hide rule' : 'Edit rule'}
          </Button>
        </span>
      </div>
      {/* The prices stand beside the rule, so that both are visible at once. */}
      <div className="grid gap-4 short:gap-2 lg:grid-cols-[20rem_minmax(0,1fr)] lg:items-start">
        <RuleForm
          id="pricing-rule"
          className={isRuleShown ? undefined : 'short:max-lg:hidden'}
          draft={draft}
          onEdit={(change) => setDraft({ ...draft, ...change })}
        />
        <div className="flex min-w-0 flex-col gap-4">
          {query.isError ? (
            <Card aria-label="Preview">
              <Failure onRetry={() => void query.refetch()}>
                {explain(query.error, 'The preview could not be made.')}
              </Failure>
            </Card>
          ) : query.data ? (
            <Preview preview={query.data} isOld={!isAsked || query.isFetching} />
          ) : (
            <Waiting />
          )}
          <History />
        </div>
      </div>
    </>
  )
}

const Waiting = () => (
  <Card aria-label="Preview" aria-busy className="p-0">
    <LoadingNote />
    <Skeleton className="m-4 h-16" />
    <SkeletonRows rows={8} className="m-4 h-8" />
  </Card>
)
