import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/** Structured logs, to a file or standard output. Whatever may hold a secret is cut out by name. */
export const createLogger = ({ level, file }: Config['log']): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'authorization',
          'password',
          'newPassword',
          'currentPassword',
          'token',
          'headers',
          'req.headers',
        ],
        censor: '[hidden]',
      },
    },
    pino.destination({ dest: file ?? 1, mkdir: true, sync: false }),
  )
