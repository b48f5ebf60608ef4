import { getRouteApi } from '@tanstack/react-router'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { useState } from 'react'
import { loginFailure, registrationFailure } from '../../app/auth-messages.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { login, register, useSession } from '../../app/session.ts'
import { useSite } from '../../app/site.ts'
import { type Feedback, useForm } from '../../common/forms/use-form.ts'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { CredentialsForm } from './CredentialsForm.tsx'
import { checkCredentials, type LoginMode, type LoginValues } from './credentials.ts'
import { DemoAccounts } from './DemoAccounts.tsx'
import { LoginFrame } from './LoginFrame.tsx'
import { outcomeOf } from './progress.ts'

const route = getRouteApi('/login-gate/login')

/** The gate around this screen redirects as soon as the session is authenticated. */
export function Login() {
  const search = route.useSearch()
  const demo = useSite()?.demo
  const [mode, setMode] = useState<LoginMode>(search.tab ?? 'sign-in')
  const isSignIn = mode === 'sign-in'
  usePageTitle(isSignIn ? 'Sign In' : 'Sign Up')

  const form = useForm<LoginValues>({
    initial: { username: '', password: '', email: '' },
    feedback: useArrivalFeedback(search.reset),
    check: (values) => checkCredentials(values, mode),
    submit: ({ username, password, email }) =>
      isSignIn ? login(username, password) : signUp(username, password, email),
    failed: isSignIn ? loginFailure : registrationFailure,
  })

  async function signUp(username: string, password: string, email: string): Promise<string> {
    await register(username, password, email)
    setMode('sign-in')
    form.reset({ username, password: '', email: '' })
    return email.trim() ? ownMessages.registeredWithEmail : ownMessages.registered
  }

  function openTab(next: string) {
    setMode(next === 'sign-up' ? 'sign-up' : 'sign-in')
    form.edit({})
  }

  const fields = <CredentialsForm mode={mode} form={form} />

  return (
    <LoginFrame
      title={isSignIn ? 'Sign in' : 'Create an account'}
      lead={leadFor(mode, search.from !== undefined)}
      progress={{
        filled: [form.values.username.trim() !== '', form.values.password !== ''],
        outcome: outcomeOf(form.isBusy, form.feedback?.tone),
      }}
    >
      <Tabs value={mode} onValueChange={openTab}>
        <TabList aria-label="Sign in or sign up">
          <Tab value="sign-in">Sign In</Tab>
          <Tab value="sign-up">Sign Up</Tab>
        </TabList>
        <TabPanel value="sign-in">{fields}</TabPanel>
        <TabPanel value="sign-up">{fields}</TabPanel>
      </Tabs>
      {demo && (
        <DemoAccounts
          demo={demo}
          onPick={(account) => {
            setMode('sign-in')
            form.edit(account)
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

/** A session expired or a password was reset before the visitor arrived here. */
function useArrivalFeedback(reset: 'done' | undefined): Feedback | null {
  const session = useSession()
  if (reset) return { tone: 'success', text: ownMessages.passwordReset }
  if (session.status === 'unauthenticated' && session.expired) {
    return { tone: 'danger', text: messages.sessionExpired }
  }
  return null
}
