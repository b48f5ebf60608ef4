import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../../../test/database.ts'
import { migrate, readMigrations } from '../../../platform/migrate.ts'

const DB = new URL('../../../../../db/', import.meta.url)

it('the migration finds the first answer and the oldest unanswered message of existing tickets', async () => {
  const database = await createTestDatabase({ migrated: false })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  onTestFinished(async () => {
    await client.end()
    await database.drop()
    await rm(folder, { recursive: true })
  })
  for (const { name } of await readMigrations())
    if (name < '0033') await copyFile(new URL(name, DB), join(folder, name))
  await migrate(database.url, { folder: pathToFileURL(`${folder}/`) })

  await client.query(`
    insert into users (username, password_hash, created_at) values ('alice', 'x', now()), ('root', 'x', now());
    insert into tickets (user_id, subject, created_at, updated_at)
    select 1, subject, '2026-01-01T00:00Z', '2026-01-01T00:00Z' from unnest('{new,answered,again}'::text[]) as subject;
    insert into ticket_messages (ticket_id, author_id, is_staff, body, created_at) values
      (1, 1, false, 'x', '2026-01-01T00:00Z'), (1, 1, false, 'x', '2026-01-01T01:00Z'),
      (2, 1, false, 'x', '2026-01-01T00:00Z'), (2, 2, true, 'x', '2026-01-01T02:00Z'), (2, 2, true, 'x', '2026-01-01T03:00Z'),
      (3, 1, false, 'x', '2026-01-01T00:00Z'), (3, 2, true, 'x', '2026-01-01T04:00Z'), (3, 1, false, 'x', '2026-01-01T05:00Z'),
      (3, 1, false, 'x', '2026-01-01T06:00Z')`)
  await migrate(database.url)
  const { rows } = await client.query(`
    select extract(hour from first_answered_at at time zone 'UTC')::integer as answered,
           extract(hour from waiting_since at time zone 'UTC')::integer as waiting
      from tickets order by id`)
  expect(rows).toEqual([
    { answered: null, waiting: 0 },
    { answered: 2, waiting: null },
    { answered: 4, waiting: 5 },
  ])
})
