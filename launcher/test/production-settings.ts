import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { dataFolder, trunkline } from './portal-process.ts'

/** An empty PostgreSQL that runs until the test ends. */
export async function ownDatabase(): Promise<string> {
  const postgres = await startEmbeddedPostgres(await dataFolder())
  onTestFinished(postgres.close)
  return postgres.url
}

/** All required production settings. */
export const settings = (databaseUrl: string) => ({
  NODE_ENV: 'production',
  DATABASE_URL: databaseUrl,
  PUBLIC_URL: 'https://portal.example',
  SUPPORT_EMAIL: 'help@portal.example',
  SUPPORT_PHONE: '1-800-555-0100',
  SMTP_URL: 'smtp://127.0.0.1:2525',
  MAIL_FROM: 'no-reply@portal.example',
  OXAPAY_BASE_URL: 'https://api.oxapay.example',
  OXAPAY_MERCHANT_KEY: 'a key of the merchant',
})

export async function outcome(args: string[], env: Record<string, string> = {}) {
  const command = trunkline(args, { env })
  return { code: await command.ended, said: command.output().trim() }
}

export async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
