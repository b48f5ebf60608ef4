import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import type { Site } from '@trunkline/contract/site'
import { renderToString } from 'react-dom/server'
import { queryClient } from './app/query-client.ts'
import { Landing } from './public/landing/Landing.tsx'

/** The HTML of the landing page. The build calls it, and the server replaces the marks in the names of the site. */
export async function prerenderLanding(site: Site): Promise<string> {
  queryClient.setQueryData(['site'], site)
  const root = createRootRoute()
  const landing = createRoute({ getParentRoute: () => root, path: '/', component: Landing })
  const router = createRouter({
    routeTree: root.addChildren([landing]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  await router.load()
  return renderToString(
    <QueryClientProvider client={queryClient}>
      {/* The router of the app has other routes; links are the same. */}
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}
