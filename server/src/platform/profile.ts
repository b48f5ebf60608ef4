import type pg from 'pg'
import { createClient } from './primary.ts'

export type Profile = 'demo' | 'production'

/** The database belongs to the other profile. */
export class WrongProfile extends Error {}

/** Name of the setting that stores the profile of a database. */
export const PROFILE_SETTING = 'profile'

const refusals: Record<Profile, string> = {
  demo: [
    'This database belongs to a production portal. The demo would write made-up customers and calls into it, so nothing was changed.',
    'Set NODE_ENV=production, or leave out DATABASE_URL: the demo then has a database of its own.',
  ].join('\n'),
  production: [
    'This database belongs to the demo: it has accounts whose passwords everybody knows. Nothing was changed.',
    'Use a new, empty database. To keep this one, run "./trunkline leave-demo" on it first: it closes the demo accounts and switches the demo carriers off.',
  ].join('\n'),
}

/** Refuses a database of the other profile. Changes nothing. */
export async function refuseOtherProfile(client: pg.ClientBase, profile: Profile): Promise<void> {
  const found = await profileOf(client)
  if (found !== null && found !== profile) throw new WrongProfile(refusals[profile])
}

/** Like `refuseOtherProfile`, on a separate connection. */
export async function ensureProfile(url: string, profile: Profile): Promise<void> {
  const client = createClient(url, { connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await refuseOtherProfile(client, profile)
  } finally {
    await client.end()
  }
}

export async function claimForProfile(client: pg.ClientBase, profile: Profile): Promise<void> {
  await client.query(
    `insert into service_settings (name, value, updated_at) values ($1, $2, now())
         on conflict (name) do update set value = excluded.value, updated_at = now()
      where service_settings.value <> excluded.value`,
    [PROFILE_SETTING, profile],
  )
}

/**
 * The profile of a database, or null if it is empty. Databases of older releases do not store it: those with data that only the demo
 * writes are demo databases, others with users are in production. The check ignores data that customers can write.
 */
export async function profileOf(client: pg.ClientBase): Promise<Profile | null> {
  const ask = async (text: string, values: string[] = []) => (await client.query(text, values)).rows[0]
  const { has_users, has_settings } = await ask(
    `select to_regclass('public.users') is not null as has_users,
            to_regclass('public.service_settings') is not null as has_settings`,
  )
  if (!has_users) return null
  const { has_people, has_demo_admin } = await ask(
    `select exists (select from users) as has_people,
            exists (select from users where lower(username) = 'admin' and is_admin
                       and email = 'admin@trunkline.example' and disabled_at is null) as has_demo_admin`,
  )
  if (has_demo_admin) return 'demo'
  const remembered = has_settings
    ? await ask(
        `select coalesce((select value from service_settings where name = $1),
                         (select 'demo' from service_settings where name = 'demo_catalogue')) as profile`,
        [PROFILE_SETTING],
      )
    : null
  return remembered?.profile ?? (has_people ? 'production' : null)
}
