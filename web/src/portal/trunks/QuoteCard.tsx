import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { explain } from '../../app/api.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { QuoteAnswer } from './QuoteAnswer.tsx'
import { quoteQuery } from './queries.ts'

type QuoteCardProps = {
  /** Is there anything to choose for this country? */
  hasRoutes: (countryCode: string) => boolean
  onChooseRoute: (countryCode: string) => void
}

/** What would a call to this number cost me, as things are? */
export function QuoteCard(props: QuoteCardProps) {
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState<string | null>(null)
  return (
    <Card aria-label="Price of a number" className="mb-4">
      <form
        noValidate
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(typed.trim() || null)
        }}
      >
        <Field
          label="What would a call to this number cost me?"
          className="w-full max-w-md sm:w-auto sm:flex-1"
        >
          <Input
            type="tel"
            name="number"
            autoComplete="off"
            maxLength={40}
            placeholder="+44 20 7946 0958"
            className="figures"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Button type="submit" className="max-sm:w-full">
          <Search aria-hidden />
          Show price
        </Button>
      </form>
      {asked !== null && <Answer number={asked} {...props} />}
    </Card>
  )
}

function Answer({ number, ...props }: QuoteCardProps & { number: string }) {
  const { data: quote, error, refetch } = useQuery(quoteQuery(number))
  return (
    <div className="mt-5 border-t pt-4" aria-live="polite" aria-busy={!quote && !error}>
      {quote ? (
        <QuoteAnswer quote={quote} {...props} />
      ) : error ? (
        <Notice tone="danger">
          <p>{explain(error, messages.pricingFailed)}</p>
          <Button size="sm" className="mt-2.5" onClick={() => void refetch()}>
            Try again
          </Button>
        </Notice>
      ) : (
        <div className="flex h-13 items-center gap-8">
          <Skeleton className="w-44" />
          <Skeleton className="w-28" />
          <Skeleton className="w-28 max-sm:hidden" />
        </div>
      )}
    </div>
  )
}
