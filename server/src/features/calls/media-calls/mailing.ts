import { HOUR } from '../../../platform/clock.ts'
import { defineJob, type Jobs } from '../../../platform/jobs.ts'
import type { AttemptLimits } from '../../identity/attempts/service.ts'

type FlowMail = { to: string; subject: string; text: string }

/** The worker sends the mail, so a slow mail server does not delay a call. */
export const sendFlowMail = defineJob<FlowMail>('send-flow-mail')

const MAX_PER_HOUR = 20
const MAX_SUBJECT_LENGTH = 200
/** One address, without names and lists. */
const ADDRESS = /^[^\s@,;:<>()"\\]{1,64}@[^\s@,;:<>()"\\]{1,190}\.[^\s@,;:<>()"\\]{2,60}$/

type Deps = { jobs: Pick<Jobs, 'send'>; attempts: Pick<AttemptLimits, 'take'> }

/** False if the address is not valid, or too many mails were sent by the customer or to the address. */
export async function queueFlowMail(
  { jobs, attempts }: Deps,
  userId: number,
  { to, subject, text }: FlowMail,
): Promise<boolean> {
  const address = to.trim()
  if (!ADDRESS.test(address)) return false
  const isWithin = await attempts.take(
    [`flow-mail:${userId}`, `flow-mail-to:${address.toLowerCase()}`].map((key) => ({
      key,
      max: MAX_PER_HOUR,
      windowMs: HOUR,
    })),
  )
  if (!isWithin) return false
  const line = subject.replace(/\s+/g, ' ').trim().slice(0, MAX_SUBJECT_LENGTH)
  await jobs.send(sendFlowMail, { to: address, subject: line, text })
  return true
}
