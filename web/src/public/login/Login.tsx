import { getRouteApi } from '@tanstack/react-router'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { useState } from 'react'
import { loginFailure, registrationFailure } from '../../app/auth-messages.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { login, register, useSession } from '../../app/session.ts'
import { useSite } from '../../app/site.ts'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { CredentialsForm, type Feedback } from './CredentialsForm.tsx'
import { type Credentials, faultIn, type LoginMode } from './credentials.ts'
import { DemoAccounts } from './DemoAccounts.tsx'
import { LoginFrame } from './LoginFrame.tsx'
import { outcomeOf } from './progress.ts'

const route = getRouteApi('/login-gate/login')

/** Signing in moves the session; the gate around this screen then goes where the specification says. */
export function Login() {
  const search = route.useSearch()
  const demo = useSite()?.demo
  const [mode, setMode] = useState<LoginMode>(search.tab ?? 'sign-in')
  const [credentials, setCredentials] = useState<Credentials>({ username: '', password: '' })
  const [email, setEmail] = useState('')
  const [feedback, setFeedback] = useState(useArrivalFeedback(search.reset))
  const [isBusy, setBusy] = useState(false)
  const isSignIn = mode === 'sign-in'
  usePageTitle(isSignIn ? 'Sign In' : 'Sign Up')

  function edit(change: Partial<Credentials>) {
    setCredentials({ ...credentials, ...change })
    setFeedback(null)
  }

  function openTab(next: string) {
    setMode(next === 'sign-up' ? 'sign-up' : 'sign-in')
    setFeedback(null)
  }

  async function submit() {
    const fault = faultIn(credentials, mode)
    if (fault) return setFeedback({ tone: 'danger', text: fault })
    setBusy(true)
    setFeedback(null)
    try {
      if (isSignIn) await login(credentials.username, credentials.password)
      else {
        await register(credentials.username, credentials.password, email)
        setMode('sign-in')
        setCredentials({ ...credentials, password: '' })
        setFeedback({
          tone: 'success',
          text: email.trim() ? ownMessages.registeredWithEmail : ownMessages.registered,
        })
        setEmail('')
      }
    } catch (error) {
      setFeedback({ tone: 'danger', text: isSignIn ? loginFailure(error) : registrationFailure(error) })
    } finally {
      setBusy(false)
    }
  }

  const form = (
    <CredentialsForm
      mode={mode}
      credentials={credentials}
      feedback={feedback}
      isBusy={isBusy}
      email={email}
      onEdit={edit}
      onEmail={(typed) => {
        setEmail(typed)
        setFeedback(null)
      }}
      onSubmit={() => void submit()}
    />
  )

  return (
    <LoginFrame
      title={isSignIn ? 'Sign in' : 'Create an account'}
      lead={leadFor(mode, search.from !== undefined)}
      progress={{
        filled: [credentials.username.trim() !== '', credentials.password !== ''],
        outcome: outcomeOf(isBusy, feedback?.tone),
      }}
    >
      <Tabs value={mode} onValueChange={openTab}>
        <TabList aria-label="Sign in or sign up">
          <Tab value="sign-in">Sign In</Tab>
          <Tab value="sign-up">Sign Up</Tab>
        </TabList>
        <TabPanel value="sign-in">{form}</TabPanel>
        <TabPanel value="sign-up">{form}</TabPanel>
      </Tabs>
      {demo && (
        <DemoAccounts
          demo={demo}
          onPick={(account) => {
            setMode('sign-in')
            edit(account)
          }}
        />
      )}
    </LoginFrame>
  )
}

function leadFor(mode: LoginMode, isForPanel: boolean): string {
  if (mode === 'sign-up') return 'You only need a username and a password.'
  return isForPanel ? 'The admin panel requires an administrator account.' : 'Welcome back.'
}

/** What has to be said on arrival: that a session ended, or that a new password is set. */
function useArrivalFeedback(reset: 'done' | undefined): Feedback | null {
  const session = useSession()
  if (reset) return { tone: 'success', text: ownMessages.passwordReset }
  if (session.status === 'unauthenticated' && session.expired) {
    return { tone: 'danger', text: messages.sessionExpired }
  }
  return null
}
