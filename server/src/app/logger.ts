import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { type LogFile, openLogFile } from './log-file.ts'

const SECRETS = [
  'authorization',
  'password',
  'newPassword',
  'currentPassword',
  'password_hash',
  'token',
  'headers',
]

/** Removes fields with secrets by name, at the top level and one level below. */
export const redaction = {
  paths: SECRETS.flatMap((name) => [name, `*.${name}`]),
  censor: '[hidden]',
}

/** Structured logs, to a file or standard output. */
export const createLogger = (
  { level, file }: Config['log'],
  destination: LogFile = openLogFile(file),
): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: redaction }, destination)
