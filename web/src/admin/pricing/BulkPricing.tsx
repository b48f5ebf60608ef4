import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Loaded } from '../../common/Loaded.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
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
      <Link
        to="/admin-panal/trunks"
        className={cx(buttonClass({ variant: 'ghost', size: 'sm' }), '-ml-2 mb-1')}
      >
        <ArrowLeft aria-hidden />
        Trunks &amp; Plans
      </Link>
      <h1 className="font-semibold text-2xl tracking-tight">Bulk pricing</h1>
      <p className="mb-4 text-muted text-sm">
        Set many prices from their cost. Nothing changes until you apply the preview.
      </p>
      <div className="flex flex-col gap-4">
        <RuleForm draft={draft} onEdit={(change) => setDraft({ ...draft, ...change })} />
        {query.isError ? (
          <Card aria-label="Preview">
            <Loaded query={{ ...query, data: undefined }} failed="The preview could not be made.">
              {() => null}
            </Loaded>
          </Card>
        ) : (
          <Loaded query={query} failed="" waiting={<Waiting />}>
            {(preview) => <Preview preview={preview} isOld={!isAsked || query.isFetching} />}
          </Loaded>
        )}
        <History />
      </div>
    </>
  )
}

const Waiting = () => (
  <Card aria-label="Preview" aria-busy className="p-0">
    <p role="status" className="sr-only">
      Loading...
    </p>
    <Skeleton className="m-4 h-16" />
    <SkeletonRows rows={8} className="m-4 h-8" />
  </Card>
)
