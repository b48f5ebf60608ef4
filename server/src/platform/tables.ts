import type { Generated } from 'kysely'

/** The tables as Kysely sees them. A test holds this list against the migrated database. */
export type Tables = {
  users: {
    id: Generated<number>
    username: string
    email: string | null
    name: string | null
    company: string | null
    country: string | null
    host: Generated<string>
    websiteip: string | null
    is_admin: Generated<boolean>
    is_premium: Generated<boolean>
    password_hash: string
    disabled_at: Date | null
    created_at: Date
  }
  sessions: {
    token_hash: Buffer
    user_id: number
    created_at: Date
    last_used_at: Date
    expires_at: Date
    address: string
    user_agent: string
  }
  password_resets: {
    token_hash: Buffer
    user_id: number
    created_at: Date
    expires_at: Date
  }
  attempts: {
    key: string
    attempts: number
    window_ends_at: Date
  }
  known_addresses: {
    user_id: number
    address: string
    last_used_at: Date
  }
  contact_requests: {
    id: Generated<number>
    name: string
    email: string
    phone: string
    message: string
    address: string
    created_at: Date
    handled_at: Date | null
  }
}
