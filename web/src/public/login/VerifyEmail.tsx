import { Link, useLocation } from '@tanstack/react-router'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useSession } from '../../app/session.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { LoginFrame } from './LoginFrame.tsx'
import { outcomeOf } from './progress.ts'

type State = 'open' | 'busy' | 'done' | 'dead'

/** Mail scanners open links, so the address is confirmed by a button and not by the link alone. */
export function VerifyEmail() {
  usePageTitle('Confirm your email address')
  const token = useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('token') })
  const isSignedIn = useSession().status === 'authenticated'
  const [error, setError] = useState<string | null>(null)
  const [state, setState] = useState<State>(token ? 'open' : 'dead')

  async function confirm() {
    if (!token) return setState('dead')
    setState('busy')
    setError(null)
    try {
      await api('POST /api/auth/verify-email', { body: { token } })
      setState('done')
    } catch (failure) {
      const isDead = failure instanceof ApiError && failure.code === 'email_link_dead'
      setState(isDead ? 'dead' : 'open')
      if (!isDead) setError(explain(failure, 'The address could not be confirmed. Please try again.'))
    }
  }

  const tone = state === 'done' ? 'success' : state === 'dead' || error ? 'danger' : undefined
  return (
    <LoginFrame
      title="Confirm your email address"
      lead="We use it for password resets and account notices."
      progress={{ filled: [state === 'done'], outcome: outcomeOf(state === 'busy', tone) }}
    >
      <div className="flex flex-col gap-4">
        {state === 'done' && <Notice tone="success">{ownMessages.emailVerified}</Notice>}
        {state === 'dead' && <Notice tone="danger">{ownMessages.emailLinkDead}</Notice>}
        {error && <Notice tone="danger">{error}</Notice>}
        {state === 'open' || state === 'busy' ? (
          <Button variant="primary" size="lg" busy={state === 'busy'} onClick={() => void confirm()}>
            {state === 'busy' ? messages.pleaseWait : 'Confirm address'}
          </Button>
        ) : (
          <Link
            to={isSignedIn ? '/dashboard/profile' : '/login'}
            className={buttonClass({ variant: 'primary', size: 'lg' })}
          >
            {isSignedIn ? 'Go to your profile' : 'Go to sign-in'}
          </Link>
        )}
      </div>
    </LoginFrame>
  )
}
