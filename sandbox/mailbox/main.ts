import { join } from 'node:path'
import { portFrom, runProcess, settingFrom } from '../shared/run.ts'
import { startMailbox } from './start.ts'

await runProcess(() =>
  startMailbox({
    folder: join(settingFrom('SANDBOX_FOLDER'), 'mailbox'),
    smtpPort: portFrom('SANDBOX_MAILBOX_SMTP_PORT'),
    httpPort: portFrom('SANDBOX_MAILBOX_HTTP_PORT'),
  }),
)
