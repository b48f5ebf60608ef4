import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages'
import { useState } from 'react'
import { Loaded } from '../../common/Loaded.tsx'
import { NumberForm } from '../../common/NumberForm.tsx'
import { Card } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { QuoteAnswer } from './QuoteAnswer.tsx'
import { quoteQuery } from './queries.ts'

type QuoteCardProps = {
  hasRoutes: (countryCode: string) => boolean
  onChooseRoute: (countryCode: string) => void
}

export function QuoteCard(props: QuoteCardProps) {
  const [asked, setAsked] = useState<string | null>(null)
  return (
    <Card aria-label="Price of a number" className="mb-4">
      <NumberForm
        label="Check the price of a number"
        action="Show price"
        onAsk={(number) => setAsked(number || null)}
      />
      {asked !== null && <Answer number={asked} {...props} />}
    </Card>
  )
}

function Answer({ number, ...props }: QuoteCardProps & { number: string }) {
  const query = useQuery(quoteQuery(number))
  return (
    <div className="mt-5 border-t pt-4" aria-live="polite" aria-busy={query.isPending}>
      <Loaded query={query} failed={messages.pricingFailed} waiting={<Waiting />}>
        {(quote) => <QuoteAnswer quote={quote} {...props} />}
      </Loaded>
    </div>
  )
}

const Waiting = () => (
  <div className="flex h-13 items-center gap-8">
    <Skeleton className="w-44" />
    <Skeleton className="w-28" />
    <Skeleton className="w-28 max-sm:hidden" />
  </div>
)
