import { sql } from 'kysely'
import type { Database } from '../src/platform/database.ts'

/** The plan of a prepared statement that PostgreSQL keeps for all values of its parameters. */
export const genericPlanOf = (
  db: Database,
  statement: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> =>
  db.connection().execute(async (session) => {
    for (const [name, value] of Object.entries(settings))
      await sql.raw(`set ${name} = ${value}`).execute(session)
    await sql`set plan_cache_mode = force_generic_plan`.execute(session)
    await sql.raw(`prepare kept as ${statement}`).execute(session)
    const parameters = new Set(statement.match(/\$\d+/g)).size
    const nulls = Array(parameters).fill('null').join(', ')
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': string }>(`explain execute kept(${nulls})`)
      .execute(session)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
