import type { Site } from '@trunkline/contract/site'
import { Mail } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import type { Credentials } from './credentials.ts'

/** The accounts of the demo profile, filled in with one click. */
export function DemoAccounts({
  demo,
  onPick,
}: {
  demo: NonNullable<Site['demo']>
  onPick: (account: Credentials) => void
}) {
  return (
    <section aria-labelledby="demo-accounts" className="mt-8 rounded-xl border bg-surface p-4">
      <h2 id="demo-accounts" className="engraved mb-1 text-muted">
        Demo accounts
      </h2>
      <ul className="divide-y">
        {demo.accounts.map(({ username, password, role }) => (
          <li key={username} className="flex items-center justify-between gap-3 py-2">
            <div className="min-w-0">
              <p className="truncate font-mono text-sm">
                {username} <span className="text-faint">/ {password}</span>
              </p>
              <p className="text-muted text-xs">{role}</p>
            </div>
            <Button
              size="sm"
              aria-label={`Fill in ${username}`}
              onClick={() => onPick({ username, password })}
            >
              Fill in
            </Button>
          </li>
        ))}
      </ul>
      {demo.mailbox_url && (
        <a
          href={demo.mailbox_url}
          className="mt-2 inline-flex min-h-6 items-center gap-2 rounded-sm text-muted text-sm underline underline-offset-4 hover:text-ink"
        >
          <Mail aria-hidden className="size-4" />
          Open the sandbox mailbox
        </a>
      )}
    </section>
  )
}
