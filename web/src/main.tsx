import './styles/app.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from './app/ErrorBoundary.tsx'
import { queryClient } from './app/query-client.ts'
import { router } from './app/router.tsx'
import { startSession } from './app/session.ts'
import { followTheme } from './app/theme.ts'

// Dialogs lock the page's scrolling with a style element of their own, which the content policy asks a nonce for.
setNonce(document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '')

followTheme()
startSession(() => router.navigate({ to: '/' }))

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// The landing page and the login form are in the HTML already. They are replaced only when all of the screen can be drawn.
if (root.childElementCount > 0) await router.load()
delete root.dataset.prerendered

createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ErrorBoundary>
  </StrictMode>,
)
