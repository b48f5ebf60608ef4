import type { CallMessages } from '@trunkline/contract/sip-messages'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { formatUtc } from '../../../common/format/dates.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { cx } from '../../../ui/cx.ts'
import {
  centerOf,
  labelOf,
  type MessageTone,
  offsetOf,
  type TraceColumn,
  type TraceMessage,
  toneOf,
} from './ladder.ts'

const inks: Record<MessageTone, string> = {
  request: 'text-signal-ink',
  progress: 'text-muted',
  success: 'text-success',
  failure: 'text-danger',
}

/** Phone, switch and carriers side by side, one arrow per message; a list on a phone. A message opens below its arrow. */
export function Ladder({ trace: { columns, messages } }: { trace: CallMessages }) {
  const [open, setOpen] = useState<number | null>(null)
  return (
    <div className="rounded-md border">
      <Heads columns={columns} />
      <ol aria-label="SIP messages in order of time">
        {messages.map((message, at) => (
          <Step
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id, and the list never changes
            key={at}
            message={message}
            columns={columns}
            offset={offsetOf(message, messages[0])}
            isOpen={open === at}
            onToggle={() => setOpen(open === at ? null : at)}
          />
        ))}
      </ol>
    </div>
  )
}

/** The names of the columns stay visible while the ladder scrolls. */
const Heads = ({ columns }: { columns: readonly TraceColumn[] }) => (
  <div aria-hidden className="sticky -top-5 z-10 flex rounded-t-md border-b bg-raised py-2 max-sm:hidden">
    <span className="w-20 shrink-0" />
    <div className="flex min-w-0 flex-1">
      {columns.map(({ name, address, kind }) => (
        <p key={`${kind} ${name}`} className="min-w-0 flex-1 px-1.5 text-center">
          <span className="block truncate font-semibold text-sm" title={name}>
            {name}
          </span>
          <span className="figures block truncate text-muted text-xs" title={address ?? undefined}>
            {address ?? '\u00a0'}
          </span>
        </p>
      ))}
    </div>
    <span className="w-7 shrink-0" />
  </div>
)

type StepProps = {
  message: TraceMessage
  columns: readonly TraceColumn[]
  offset: string
  isOpen: boolean
  onToggle: () => void
}

function Step({ message, columns, offset, isOpen, onToggle }: StepProps) {
  const id = useId()
  const name = (column: number) => columns[column]?.name ?? ''
  const way = `${name(message.from)} to ${name(message.to)}`
  return (
    <li
      className={cx(
        'border-b last:border-b-0',
        isOpen ? 'bg-sunken' : 'border-transparent max-sm:border-line',
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={onToggle}
        title={message.first_line}
        className="group flex w-full items-stretch text-left hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span className="figures flex w-20 shrink-0 items-center justify-end pr-2 text-muted text-xs">
          {offset}
        </span>
        <span className="min-w-0 flex-1 py-2 sm:sr-only">
          <span className={cx('block break-words font-medium text-sm', inks[toneOf(message)])}>
            {labelOf(message)}
          </span>
          <span className="block text-muted text-xs">
            {way}
            {message.is_retransmission && ', retransmission'}
          </span>
        </span>
        <Arrow message={message} count={columns.length} />
        <span className="flex w-7 shrink-0 items-center justify-center text-muted">
          <ChevronRight aria-hidden className={cx('size-4 transition-transform', isOpen && 'rotate-90')} />
        </span>
      </button>
      {isOpen && (
        <section id={id} aria-label={`${labelOf(message)}, ${way}`} className="px-3 pt-1 pb-3">
          <div className="mb-2 flex items-center justify-between gap-3">
            <p className="figures min-w-0 break-words text-muted text-xs">
              {formatUtc(message.at)}, {message.transport.toUpperCase()}, {message.from === 1 ? 'to' : 'from'}{' '}
              {message.peer}
            </p>
            <CopyButton text={message.text} what="message" />
          </div>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            tabIndex={0}
            className="max-h-96 overflow-auto whitespace-pre-wrap break-words rounded-sm border bg-surface p-3 font-mono text-xs leading-relaxed"
          >
            {message.text.replaceAll('\r\n', '\n').trimEnd()}
          </pre>
        </section>
      )}
    </li>
  )
}

/** One row of the ladder: the lines of all columns, and the arrow between two of them. */
function Arrow({ message, count }: { message: TraceMessage; count: number }) {
  const [from, to] = [centerOf(message.from, count), centerOf(message.to, count)]
  const isRight = to > from
  return (
    <span aria-hidden className="relative block h-10 min-w-0 flex-1 max-sm:hidden">
      {Array.from({ length: count }, (_, column) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have no id
          key={column}
          className="absolute top-0 -bottom-px w-px bg-edge/40"
          style={{ left: `${centerOf(column, count)}%` }}
        />
      ))}
      <span
        className={cx('absolute inset-y-0', inks[toneOf(message)])}
        style={{ left: `${Math.min(from, to)}%`, width: `${Math.abs(to - from)}%` }}
      >
        <span className="absolute inset-x-3 bottom-3.5 flex justify-center gap-1.5 whitespace-nowrap font-medium text-xs">
          <span className="min-w-0 truncate bg-surface px-1 group-hover:bg-sunken group-aria-expanded:bg-sunken">
            {labelOf(message)}
          </span>
          {message.is_retransmission && (
            <span className="bg-surface text-muted group-hover:bg-sunken group-aria-expanded:bg-sunken">
              again
            </span>
          )}
        </span>
        <span
          className={cx(
            'absolute inset-x-0.5 bottom-2.5 border-current border-t-[1.5px]',
            message.is_retransmission && 'border-dashed',
          )}
        />
        <span
          className={cx(
            'absolute bottom-1.5 h-2.5 w-2 bg-current',
            isRight
              ? 'right-0 [clip-path:polygon(0_0,100%_50%,0_100%)]'
              : 'left-0 [clip-path:polygon(100%_0,0_50%,100%_100%)]',
          )}
        />
      </span>
    </span>
  )
}
