import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import type { Site } from '@trunkline/contract/site'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { AdminLoadingScreen, LoadingScreen } from './app/LoadingScreen.tsx'
import { queryClient } from './app/query-client.ts'
import { Landing } from './public/landing/Landing.tsx'
import { Login } from './public/login/Login.tsx'

/** The HTML of the loading screens, for the customer area and the admin panel. */
export const prerenderLoading = () => ({
  portal: renderToStaticMarkup(<LoadingScreen />),
  admin: renderToStaticMarkup(<AdminLoadingScreen />),
})

/** The HTML of a public screen. The build calls it, and the server replaces the marks in the names of the site. */
export async function prerender(path: '/' | '/login', site: Site): Promise<string> {
  queryClient.setQueryData(['site'], site)
  const root = createRootRoute()
  const landing = createRoute({ getParentRoute: () => root, path: '/', component: Landing })
  // The screen reads the search of its route, which has this id in the app.
  const loginGate = createRoute({ getParentRoute: () => root, id: 'login-gate' })
  const login = createRoute({ getParentRoute: () => loginGate, path: '/login', component: Login })
  const router = createRouter({
    routeTree: root.addChildren([landing, loginGate.addChildren([login])]),
    history: createMemoryHistory({ initialEntries: [path] }),
  })
  await router.load()
  return renderToString(
    <QueryClientProvider client={queryClient}>
      {/* The router of the app has other routes; links are the same. */}
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}
