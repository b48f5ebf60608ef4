import pg from 'pg'

/** Which of the two profiles runs, and which of them a database belongs to. */
export type Profile = 'demo' | 'production'

/** This profile must not work on that database. */
export class WrongProfile extends Error {}

/** The name under which a database remembers its profile, among the settings of the service. */
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

/** Refuses a database of the other profile. It reads and changes nothing. */
export async function refuseOtherProfile(client: pg.ClientBase, profile: Profile): Promise<void> {
  const found = await profileOf(client)
  if (found !== null && found !== profile) throw new WrongProfile(refusals[profile])
}

/** The same before anything has been started, on a connection of its own. */
export async function ensureProfile(url: string, profile: Profile): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await refuseOtherProfile(client, profile)
  } finally {
    await client.end()
  }
}

/** From now on the database belongs to this profile. */
export async function claimForProfile(client: pg.ClientBase, profile: Profile): Promise<void> {
  await client.query(
    `insert into service_settings (name, value, updated_at) values ($1, $2, now())
         on conflict (name) do update set value = excluded.value, updated_at = now()
      where service_settings.value <> excluded.value`,
    [PROFILE_SETTING, profile],
  )
}

/**
 * The profile a database belongs to; null when it is empty. Databases of older releases do not say: what only the demo writes gives it
 * away, and any other with people in it is in production. Only what no customer can write counts, or one could stop the portal.
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
