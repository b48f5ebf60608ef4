import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { AlertsSearch } from '../admin/alerts/search.ts'
import type { AnalysisSearch } from '../admin/analysis/search.ts'
import type { AuditSearch } from '../admin/audit-log/search.ts'
import type { BalancesSearch } from '../admin/balances/search.ts'
import type { InvoiceSearch, InvoicesSearch } from '../admin/carrier-invoices/search.ts'
import type { DashboardSearch } from '../admin/dashboard/search.ts'
import type { NumbersSearch as InventorySearch } from '../admin/numbers/search.ts'
import type { PaymentsSearch } from '../admin/payments/search.ts'
import type { PromoCodesSearch } from '../admin/promo-codes/search.ts'
import type { DeskSearch } from '../admin/support/search.ts'
import type { TrunksSearch } from '../admin/trunks/search.ts'
import type { UserPageSearch, UsersSearch } from '../admin/users/search.ts'
import type { CdrSearch } from '../common/calls/report/search.ts'
import type { StatementSearch } from '../common/statement/search.ts'
import type { QualitySearch } from '../portal/cdr-report/quality.ts'
import type { MyNumbersSearch } from '../portal/numbers/search.ts'
import type { SupportSearch } from '../portal/support/search.ts'
import type { VoicemailSearch } from '../portal/voicemail/search.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { AdminGate, CustomerGate, LoginGate } from './gates.tsx'
import { AdminLoadingScreen, LoadingScreen, PendingPart } from './LoadingScreen.tsx'
import { NotFound } from './NotFound.tsx'
import { Root } from './Root.tsx'
import { rememberedPath } from './redirects.ts'

/** Every screen is a separate chunk. */

/** Errors and unknown addresses get a full screen at the root. */
const root = createRootRoute({ component: Root, errorComponent: ErrorScreen, notFoundComponent: NotFound })

const landing = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../public/landing/Landing.tsx'), 'Landing'),
})

const loginGate = createRoute({ getParentRoute: () => root, id: 'login-gate', component: LoginGate })

type LoginSearch = { from?: string; reset?: 'done'; tab?: 'sign-up' }

const login = createRoute({
  getParentRoute: () => loginGate,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): LoginSearch => ({
    from: rememberedPath(search.from),
    reset: search.reset === 'done' ? 'done' : undefined,
    tab: search.tab === 'sign-up' ? 'sign-up' : undefined,
  }),
  component: lazyRouteComponent(() => import('../public/login/Login.tsx'), 'Login'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('../public/login/ForgotPassword.tsx'), 'ForgotPassword'),
})

/** The token is in the fragment (#token=…), which browsers do not send to servers or in referrers. */
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('../public/login/ResetPassword.tsx'), 'ResetPassword'),
})

const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  component: lazyRouteComponent(() => import('../public/login/VerifyEmail.tsx'), 'VerifyEmail'),
})

const customerGate = createRoute({ getParentRoute: () => root, id: 'customer-gate', component: CustomerGate })

const dashboard = createRoute({
  getParentRoute: () => customerGate,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('../portal/PortalLayout.tsx'), 'PortalLayout'),
})

const inDashboard = { getParentRoute: () => dashboard, pendingComponent: PendingPart }

const portal = [
  createRoute({
    ...inDashboard,
    path: '/',
    component: lazyRouteComponent(() => import('../portal/home/Home.tsx'), 'Home'),
  }),
  createRoute({
    ...inDashboard,
    path: '/profile',
    component: lazyRouteComponent(() => import('../portal/profile/Profile.tsx'), 'Profile'),
  }),
  createRoute({
    ...inDashboard,
    path: '/trunks',
    component: lazyRouteComponent(() => import('../portal/trunks/Trunks.tsx'), 'Trunks'),
  }),
  createRoute({
    ...inDashboard,
    path: '/numbers',
    validateSearch: (search: Record<string, unknown>): MyNumbersSearch => search,
    component: lazyRouteComponent(() => import('../portal/numbers/Numbers.tsx'), 'Numbers'),
  }),
  createRoute({
    ...inDashboard,
    path: '/flows',
    component: lazyRouteComponent(() => import('../portal/flows/Flows.tsx'), 'Flows'),
  }),
  createRoute({
    ...inDashboard,
    path: '/flows/sounds',
    component: lazyRouteComponent(() => import('../portal/flows/sounds/Sounds.tsx'), 'Sounds'),
  }),
  createRoute({
    ...inDashboard,
    path: '/flows/queues',
    component: lazyRouteComponent(() => import('../portal/flows/queues/Queues.tsx'), 'Queues'),
  }),
  createRoute({
    ...inDashboard,
    path: '/flows/$id',
    component: lazyRouteComponent(() => import('../portal/flows/FlowPage.tsx'), 'FlowPage'),
  }),
  createRoute({
    ...inDashboard,
    path: '/voicemail',
    validateSearch: (search: Record<string, unknown>): VoicemailSearch => search,
    component: lazyRouteComponent(() => import('../portal/voicemail/Voicemail.tsx'), 'Voicemail'),
  }),
  createRoute({
    ...inDashboard,
    path: '/cdr-report',
    // Only the type: the screen validates the search itself, which keeps the code out of the first load.
    validateSearch: (search: Record<string, unknown>): CdrSearch => search,
    component: lazyRouteComponent(() => import('../portal/cdr-report/CdrReport.tsx'), 'CdrReport'),
  }),
  createRoute({
    ...inDashboard,
    path: '/cdr-report/quality',
    validateSearch: (search: Record<string, unknown>): QualitySearch => search,
    component: lazyRouteComponent(() => import('../portal/cdr-report/CallQuality.tsx'), 'CallQuality'),
  }),
  createRoute({
    ...inDashboard,
    path: '/support',
    validateSearch: (search: Record<string, unknown>): SupportSearch => search,
    component: lazyRouteComponent(() => import('../portal/support/Support.tsx'), 'Support'),
  }),
  createRoute({
    ...inDashboard,
    path: '/topup',
    component: lazyRouteComponent(() => import('../portal/topup/TopUp.tsx'), 'TopUp'),
  }),
  createRoute({
    ...inDashboard,
    path: '/statement',
    validateSearch: (search: Record<string, unknown>): StatementSearch => search,
    component: lazyRouteComponent(() => import('../portal/statement/Statement.tsx'), 'Statement'),
  }),
  createRoute({
    ...inDashboard,
    path: '/upgrade',
    component: lazyRouteComponent(() => import('../portal/upgrade/Upgrade.tsx'), 'Upgrade'),
  }),
] as const

const adminGate = createRoute({
  getParentRoute: () => root,
  id: 'admin-gate',
  component: AdminGate,
  pendingComponent: AdminLoadingScreen,
})

/** Spelled as in the specification. */
const adminPanel = createRoute({
  getParentRoute: () => adminGate,
  path: '/admin-panal',
  component: lazyRouteComponent(() => import('../admin/AdminLayout.tsx'), 'AdminLayout'),
  pendingComponent: AdminLoadingScreen,
})

const inAdminPanel = { getParentRoute: () => adminPanel, pendingComponent: PendingPart }

const admin = [
  createRoute({
    ...inAdminPanel,
    path: '/',
    validateSearch: (search: Record<string, unknown>): DashboardSearch => search,
    component: lazyRouteComponent(() => import('../admin/dashboard/Dashboard.tsx'), 'Dashboard'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/payments',
    validateSearch: (search: Record<string, unknown>): PaymentsSearch => search,
    component: lazyRouteComponent(() => import('../admin/payments/Payments.tsx'), 'Payments'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/users',
    validateSearch: (search: Record<string, unknown>): UsersSearch => search,
    component: lazyRouteComponent(() => import('../admin/users/Users.tsx'), 'Users'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/users/$id',
    validateSearch: (search: Record<string, unknown>): UserPageSearch => search,
    component: lazyRouteComponent(() => import('../admin/users/UserPage.tsx'), 'UserPage'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/promo-codes',
    validateSearch: (search: Record<string, unknown>): PromoCodesSearch => search,
    component: lazyRouteComponent(() => import('../admin/promo-codes/PromoCodes.tsx'), 'PromoCodes'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/balances',
    validateSearch: (search: Record<string, unknown>): BalancesSearch => search,
    component: lazyRouteComponent(() => import('../admin/balances/Balances.tsx'), 'Balances'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/alerts',
    validateSearch: (search: Record<string, unknown>): AlertsSearch => search,
    component: lazyRouteComponent(() => import('../admin/alerts/Alerts.tsx'), 'Alerts'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/trunks',
    validateSearch: (search: Record<string, unknown>): TrunksSearch => search,
    component: lazyRouteComponent(() => import('../admin/trunks/Trunks.tsx'), 'Trunks'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/trunks/numbers',
    validateSearch: (search: Record<string, unknown>): InventorySearch => search,
    component: lazyRouteComponent(() => import('../admin/numbers/Numbers.tsx'), 'Numbers'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/trunks/pricing',
    component: lazyRouteComponent(() => import('../admin/pricing/BulkPricing.tsx'), 'BulkPricing'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/trunks/routing',
    component: lazyRouteComponent(() => import('../admin/routing/Routing.tsx'), 'Routing'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/trunks/prompts',
    component: lazyRouteComponent(() => import('../admin/system-prompts/SystemPrompts.tsx'), 'SystemPrompts'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/trunks/invoices',
    validateSearch: (search: Record<string, unknown>): InvoicesSearch => search,
    component: lazyRouteComponent(() => import('../admin/carrier-invoices/Invoices.tsx'), 'Invoices'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/trunks/invoices/$id',
    validateSearch: (search: Record<string, unknown>): InvoiceSearch => search,
    component: lazyRouteComponent(() => import('../admin/carrier-invoices/Invoice.tsx'), 'Invoice'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/calls',
    validateSearch: (search: Record<string, unknown>): CdrSearch => search,
    component: lazyRouteComponent(() => import('../admin/calls/Calls.tsx'), 'Calls'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/analysis',
    validateSearch: (search: Record<string, unknown>): AnalysisSearch => search,
    component: lazyRouteComponent(() => import('../admin/analysis/Analysis.tsx'), 'Analysis'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/support',
    validateSearch: (search: Record<string, unknown>): DeskSearch => search,
    component: lazyRouteComponent(() => import('../admin/support/Support.tsx'), 'Support'),
  }),
  createRoute({
    ...inAdminPanel,
    path: '/audit-log',
    validateSearch: (search: Record<string, unknown>): AuditSearch => search,
    component: lazyRouteComponent(() => import('../admin/audit-log/AuditLog.tsx'), 'AuditLog'),
  }),
] as const

/** The catalog of UI components, for development only. */
const workshop =
  import.meta.env.DEV || import.meta.env.VITE_DEV_UI === '1'
    ? [
        createRoute({
          getParentRoute: () => root,
          path: '/dev/ui',
          component: lazyRouteComponent(() => import('../public/dev-ui/DevUi.tsx'), 'DevUi'),
        }),
      ]
    : []

export const router = createRouter({
  routeTree: root.addChildren([
    landing,
    loginGate.addChildren([login]),
    forgotPassword,
    resetPassword,
    verifyEmail,
    customerGate.addChildren([dashboard.addChildren(portal)]),
    adminGate.addChildren([adminPanel.addChildren(admin)]),
    ...workshop,
  ]),
  notFoundMode: 'root',
  defaultPendingComponent: LoadingScreen,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The user left by logging out. */
    isLogout?: boolean
  }
  interface Register {
    router: typeof router
  }
}
