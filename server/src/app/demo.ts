import type { Accounts } from '../features/accounts/service.ts'

/** Accounts of the demo profile, there to look around with. */
export const demoAccounts = [
  { username: 'admin', password: 'trunkline-admin', role: 'Administrator' },
  { username: 'alice', password: 'trunkline-alice', role: 'Customer' },
  { username: 'paula', password: 'trunkline-paula', role: 'Premium customer' },
]

/** Makes the accounts that are missing; one that is there keeps the password its user may have changed. */
export async function ensureDemoAccounts(accounts: Accounts): Promise<void> {
  for (const { username, password, role } of demoAccounts)
    await accounts.ensure({
      username,
      password,
      email: `${username}@trunkline.example`,
      isAdmin: role === 'Administrator',
      isPremium: role === 'Premium customer',
    })
}
