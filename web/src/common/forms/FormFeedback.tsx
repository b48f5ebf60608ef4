import { Notice } from '../../ui/Notice.tsx'
import type { Feedback } from './use-form.ts'

/** The outcome of the last attempt to send a form. */
export const FormFeedback = ({
  form: { feedback },
  className,
}: {
  form: { feedback: Feedback | null }
  className?: string
}) =>
  feedback && (
    <Notice tone={feedback.tone} className={className}>
      {feedback.text}
    </Notice>
  )
