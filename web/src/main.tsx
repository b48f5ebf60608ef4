import './styles/app.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode, startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from './app/ErrorBoundary.tsx'
import { queryClient } from './app/query-client.ts'
import { router } from './app/router.tsx'
import { sessionChecked, startSession } from './app/session.ts'
import { followTheme } from './app/theme.ts'

// Dialogs lock the page's scrolling with a style element of their own, which the content policy asks a nonce for.
setNonce(document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '')

followTheme()
startSession(async (onLeft) => {
  const stop = router.history.subscribe(({ location }) => {
    stop()
    if (location.state.isLogout) onLeft()
  })
  await router.navigate({ to: '/', state: { isLogout: true } })
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// The landing page, the login form or the loading screen is in the page already. It is replaced only when all of the screen can be drawn.
const page = root.dataset
const { prerendered } = page
if (prerendered) {
  // Loading the screen is a task of its own.
  await new Promise((resolve) => setTimeout(resolve))
  await Promise.all([router.load(), prerendered === 'loading' && sessionChecked()])
}

/** Removes the mark in the same task that replaces the prerendered page. Before that, a click would reach a button that does nothing. */
function App() {
  useLayoutEffect(() => {
    delete page.prerendered
  }, [])
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

// A transition is rendered in small steps instead of one long task, which a slow phone would hang in.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
