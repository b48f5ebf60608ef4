import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { Refusal } from '@trunkline/contract/errors'
import { EmailAddress, NewPassword, Username } from '@trunkline/contract/fields'
import { createAdministrator } from '@trunkline/server/main/create-administrator'
import { newToken } from '@trunkline/server/platform/tokens'
import type { z } from 'zod'
import { dataFolderOf } from './data-folder.ts'
import { connectDatabase, profileOfEnvironment } from './database.ts'
import { explain, UserError } from './user-error.ts'

const USAGE = 'Usage: ./trunkline admin create NAME [--email ADDRESS] [--password-stdin] [--data DIR]'

/** `admin create NAME` creates an administrator. */
export async function createAdmin(args: string[]): Promise<void> {
  const { data, password, ...account } = await readOptions(args)
  const chosen = password ?? newToken()
  const database = await connectDatabase(data)
  try {
    await createAdministrator(database.url, { ...account, password: chosen }, profileOfEnvironment())
  } catch (error) {
    if (error instanceof Refusal) throw new UserError(error.message)
    throw explain(error, { port: 0, databaseUrl: process.env.DATABASE_URL })
  } finally {
    await database.close()
  }
  process.stdout.write(`Administrator ${account.username} created. They can sign in now.\n`)
  if (!password) process.stdout.write(`Password (shown only once): ${chosen}\n`)
}

async function readOptions(args: string[]) {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch {
    throw new UserError(USAGE)
  }
  const { values, positionals } = parsed
  if (positionals[0] !== 'create' || positionals.length !== 2) throw new UserError(USAGE)
  return {
    username: valid(Username, positionals[1]),
    ...(values.email && { email: valid(EmailAddress, values.email) }),
    password: values['password-stdin'] ? valid(NewPassword, (await text(process.stdin)).trimEnd()) : null,
    data: dataFolderOf(values.data),
  }
}

const parse = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      data: { type: 'string' },
      'password-stdin': { type: 'boolean' },
    },
  })

function valid<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new UserError(parsed.error.issues[0]?.message ?? USAGE)
  return parsed.data
}
