import { sendResetMail } from '../features/passwords/service.ts'
import { defineJob } from '../platform/jobs.ts'
import type { Services } from './services.ts'

const tidyUp = defineJob<Record<string, never>>('tidy-up')

/** Takes up the jobs. Any number of workers may run: each job is done by one of them. */
export async function startWorker({ jobs, passwords, sessions, attempts }: Services): Promise<void> {
  await jobs.work(sendResetMail, ({ email }) => passwords.mailResetLinks(email))
  await jobs.work(tidyUp, async () => {
    await sessions.forgetDead()
    await passwords.forgetExpired()
    await attempts.forgetEnded()
  })
  await jobs.schedule(tidyUp, '17 * * * *', {})
}
