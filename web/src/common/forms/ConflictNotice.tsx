import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { Change } from './conflict.ts'

type ConflictNoticeProps = {
  form: { conflict: Change[] | null; isBusy: boolean; discard: () => void }
  /** The name of that person, if it is known. */
  by?: string | null
}

/** Shows what someone else saved while the form was open. */
export const ConflictNotice = ({ form: { conflict, isBusy, discard }, by }: ConflictNoticeProps) =>
  conflict && (
    <Notice tone="danger">
      <p>{by ?? 'Someone else'} just changed this. Your changes are still here and not saved yet.</p>
      {conflict.length > 0 && (
        <ul className="figures mt-1.5 list-disc pl-5">
          {conflict.map(({ label, was, is }) => (
            <li key={label}>
              {label}: <span className="text-muted line-through">{was}</span> → <strong>{is}</strong>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-1.5">Review the form, then save again.</p>
      <Button size="sm" className="mt-2.5" disabled={isBusy} onClick={discard}>
        Discard my changes
      </Button>
    </Notice>
  )
