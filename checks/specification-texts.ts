/**
 * The texts that the specification puts in quotes, by who reads them and by its section: 2 screens, 4 states, 5 validation, 8 errors.
 * What stands in braces is filled in when it is shown. The test beside holds them against the stories.
 */
export const texts = {
  visitor: {
    2: ['Something went wrong', 'Sign In', 'Create Account', 'Please wait...'],
    5: ['Please fill in all fields', 'Password must be at least 8 characters long'],
    8: [
      'Invalid username or password',
      'Too many login attempts. Please try again later.',
      'Unable to connect to server. Please check your internet connection.',
      'Login failed. Please try again.',
      'An unexpected error occurred. Please try again.',
      'An account with this username already exists',
      'Registration failed. Please try again.',
      'Session expired. Please login again.',
      'Failed to send reset email',
      'Failed to reset password',
    ],
  },
  customer: {
    2: [
      'Premium',
      'User',
      'No active calls',
      'N/A',
      'Enter new password',
      'Update Host in SIP',
      'Trunks Management',
      'Manage your VoIP trunks and routing configurations with ease',
      'Loading trunks...',
      'Select Route for {country}',
      'Free',
      'Upgrade to select',
      'CDR Reports',
      'Call Detail Records and Analytics',
      'Search calls...',
      'Get help with your VoIP services',
      'Top Up Your Balance',
      'Other Amount',
      'Top Up Now',
      'Processing...',
      'You are a Premium User!',
      'Upgrade to Premium',
      'Upgrade Now',
    ],
    4: ['+{number}', 'Not Set'],
    5: [
      'Please enter a valid phone number (country code + number, 7-16 digits)',
      'Host must be at least 3 characters',
      'Please select or enter an amount.',
    ],
    8: [
      'Current password is incorrect',
      'Failed to change password',
      'Failed to get current user',
      'Failed to fetch routes',
      'Failed to fetch selected route',
      'Failed to update selected route',
      'Failed to update caller ID',
      'Failed to process top-up',
      'Failed to fetch pricing',
      'Failed to update Caller ID on server.',
      'Profile updated successfully!',
      'Failed to update profile',
      'Host updated in SIP successfully!',
      'Failed to update host in SIP',
      'Failed to fetch profile. Please login again.',
      'Upgrade to premium to select this route!',
      'Failed to load CDR records. Please check your connection or login status.',
      'Failed to create payment invoice. Try again.',
      'Payment error: {error}',
      'Payment initiation failed. Please try again.',
    ],
  },
  admin: {
    2: [
      'Checking admin access...',
      'Add/Update Website IP',
      'Administrator',
      '+ Add Trunk/Route',
      'No trunks/routes added yet.',
      'No users found in the database.',
      'Large Top-up Alert',
    ],
    4: ['No changes to update.', 'User updated successfully!'],
    5: ['Only admin can update trunks/routes.', 'Only admin can delete trunks/routes.'],
    8: [
      'Failed to update user',
      'Failed to fetch users',
      'Failed to add user',
      'Failed to add route',
      'Failed to update route',
      'Failed to delete route',
      'Failed to add trunk/route',
      'Failed to update trunk/route',
      'Failed to delete trunk/route',
      'Could not load plans. Please try again later.',
      'Website IP updated successfully!',
      'Failed to update Website IP',
    ],
  },
} as const satisfies Record<string, Record<number, readonly string[]>>

/** What it names without quotes, on the landing page (section 1) and on the screens (section 2). Held as the texts are. */
export const names = {
  visitor: {
    1: [
      'VoIP and IVR solutions',
      'Enterprise security',
      'Real-time analytics',
      'Smart routing',
      'Multi-tenant support',
      '99.9% uptime',
      'Starter',
      'Professional',
      'Enterprise',
      '$29',
      '$99',
      'Up to 1,000 minutes',
      'Up to 10,000 minutes',
      'Unlimited minutes',
      'Most Popular',
      '50M+',
      '24/7',
    ],
    2: [
      ...['Refresh Page', 'Home', 'Features', 'Pricing', 'Contact', 'Login'],
      ...['Get Started Free', 'Schedule Demo', 'Get Started', 'Send Message'],
      ...['Full name', 'Email address', 'Phone number', 'Message'],
      ...['Sign Up', 'Username', 'Password', 'Show password', 'Hide password'],
    ],
  },
  customer: {
    2: [
      ...['Profile', 'Trunks', 'CDR Report', 'Support', 'Admin Panel', 'Logout', 'Dashboard', 'Upgrade'],
      ...['Account Balance', 'Top Up', 'Refresh Balance', 'Active Calls', 'Caller ID', 'Live Calls'],
      ...['Call Volume (24h)', 'Trunk Usage', 'Monthly Usage'],
      ...['Quick Actions', 'Add Credit', 'Manage Trunk', 'Make test Call'],
      ...['Company', 'Host', 'Website IP', 'Update Profile', 'Save'],
      ...['Selected', 'Current Route', 'None', 'Change Route'],
      ...['Today', 'This Week', 'This Month', 'Custom Range', 'Export', 'Filter', 'cdr_report.pdf'],
      ...['Date & Time', 'Caller', 'Destination', 'Duration', 'Cost', 'Status', 'Completed'],
      ...['$1000', '$2000', '$5000', '$7000', '$10000', 'Total cost$149.99', 'Go to Dashboard'],
      ...['Access to premium routes', 'Priority support', 'Better call quality'],
      'Early access to new features',
      'Unlock advanced features, unlimited trunks and priority support',
    ],
    4: ['Set Caller ID', 'Change', 'Cancel'],
  },
  admin: {
    2: [
      ...['Total Payments', 'Successful', 'Total Users', 'Active Users'],
      ...['All Payments', 'User Management', 'Promo Codes', 'Balance Management', 'Alerts'],
      ...['Country', 'Name', 'Plan Name', 'Route/Plan', 'Price', 'Yes', 'No', 'Edit', 'Delete'],
      ...['Recent Payments', 'Process Refund', 'Generate Promo Code', 'Export Reports', 'View Analytics'],
      ...['Percentage Discount', 'Fixed Amount', 'Account Credit', 'Refund'],
      ...['United States', 'United Kingdom', 'Germany', 'France', 'India', 'Canada', 'Australia'],
    ],
    3: ['Top-up', 'Purchase', 'Completed', 'Pending', 'Failed'],
  },
} as const satisfies Record<keyof typeof texts, Record<number, readonly string[]>>

/** The calls of section 7, all under /api but the first. */
export const addresses = [
  'POST /register',
  ...[
    ...['POST /auth/login', 'GET /auth/verify', 'GET /auth/me', 'POST /auth/change-password'],
    ...['POST /auth/forgot-password', 'POST /auth/reset-password', 'PATCH /user/profile'],
    ...['PATCH /admin/user/update', 'GET /users', 'POST /user/add', 'GET /health'],
    ...['GET /routes', 'POST /routes', 'PATCH /routes/:id', 'DELETE /routes/:id'],
    ...['GET /user-selected-route', 'POST /user-selected-route', 'POST /user/callerid', 'GET /user/callerid'],
    ...['POST /topup', 'GET /live-calls', 'GET /live-calls-details', 'GET /pricing', 'GET /pricing/rates'],
    ...['POST /user/host', 'POST /admin/websiteip', 'GET /dashboard/stats', 'GET /calls/records'],
    ...['GET /trunks', 'PATCH /trunks/:id/primary', 'GET /support/tickets', 'POST /support/tickets'],
    ...['GET /cdr', 'GET /plans', 'GET /total-payments', 'GET /successful-payments', 'GET /user-stats'],
  ].map((address) => address.replace(' ', ' /api')),
]

/** The numbers of section 9 that are ours to keep. */
export const numbers = {
  API_TIMEOUT_MS: 10_000,
  USER_REFRESH_MS: 10_000,
  LIVE_CALLS_POLL_MS: 5_000,
  CARD_ANIMATION_STEP_MS: 300,
  PASSWORD_MIN: 8,
  HOST_MIN: 3,
  CALLER_ID_PATTERN: /^[0-9]{7,16}$/,
  UPGRADE_PRICE_DOLLARS: 149.99,
  TOPUP_PRESETS_DOLLARS: [1000, 2000, 5000, 7000, 10000],
  TOPUP_MIN_DOLLARS: 0.01,
  TOPUP_MAX_DOLLARS: 10_000,
  TOPUP_STEP_DOLLARS: 0.01,
  CALL_RECORDS_DEFAULT: 20,
  ROUTE_COUNTRIES: ['US', 'GB', 'DE', 'FR', 'IN', 'CA', 'AU'],
}

/** Nobody sees these in a browser, and why. */
export const neverShown: Record<string, string> = {
  'Failed to update selected route':
    'section 8 also says that a route that could not be saved is ignored silently: the choice is put back without a word',
  'Failed to process top-up':
    'section 8 names other words for every way in which a payment can fail to begin, and the screen says those',
  'Failed to add route': 'the panel says Failed to add trunk/route in its place',
  'Failed to update route': 'the panel says Failed to update trunk/route in its place',
  'Failed to delete route': 'the panel says Failed to delete trunk/route in its place',
}
