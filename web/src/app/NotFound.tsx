import { Link } from '@tanstack/react-router'
import { ownMessages } from '@trunkline/contract/messages'
import { buttonClass } from '../ui/Button.tsx'
import { Lamp } from '../ui/Lamp.tsx'
import { LineScreen } from './LineScreen.tsx'
import { usePageTitle } from './page-title.ts'

export function NotFound() {
  usePageTitle('Not found')
  return (
    <LineScreen lamp={<Lamp label="No line" className="size-6" />}>
      <div>
        <h1 className="font-semibold text-2xl tracking-tight">{ownMessages.notFound}</h1>
        <p className="mt-2 text-muted">The address may be mistyped, or the page has moved.</p>
      </div>
      <Link to="/" className={buttonClass({ variant: 'primary' })}>
        Back to home
      </Link>
    </LineScreen>
  )
}
