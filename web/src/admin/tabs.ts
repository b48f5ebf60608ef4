/** The parts of the operator's panel, in the order of its tabs. */
export const tabs = [
  { to: '/admin-panal', label: 'Dashboard' },
  { to: '/admin-panal/payments', label: 'All Payments' },
  { to: '/admin-panal/users', label: 'User Management' },
  { to: '/admin-panal/promo-codes', label: 'Promo Codes' },
  { to: '/admin-panal/balances', label: 'Balance Management' },
  { to: '/admin-panal/alerts', label: 'Alerts' },
  { to: '/admin-panal/trunks', label: 'Trunks & Plans' },
  { to: '/admin-panal/support', label: 'Support' },
  { to: '/admin-panal/audit-log', label: 'Audit Log' },
] as const
