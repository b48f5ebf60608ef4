import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { onTestFinished } from 'vitest'
import { ask } from '../../server/test/database.ts'
import { dataFolder, trunkline } from './portal-process.ts'
import { putDatabase } from './prepared-database.ts'

/** A PostgreSQL that runs until the test ends. */
export async function ownServer(): Promise<string> {
  const folder = await dataFolder()
  await putDatabase(folder)
  const { url, close } = await startEmbeddedPostgres(folder)
  onTestFinished(close)
  return url
}

/** A migrated database without rows on its own server, or one without tables. */
export async function ownDatabase({ hasTables = true } = {}): Promise<string> {
  const url = await ownServer()
  if (hasTables) return url
  await ask(url, 'create database without_tables')
  return Object.assign(new URL(url), { pathname: '/without_tables' }).href
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
