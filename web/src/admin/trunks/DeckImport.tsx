import { useMutation } from '@tanstack/react-query'
import { BUY_DECK_MAX, DECK_BYTES_MAX, DECK_TIMEOUT_MS, ROUTE_DECK_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import type { DeckCheck } from '@trunkline/contract/rate-decks'
import { useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { formatDate, formatDateTime } from '../../common/format/dates.ts'
import { formatCount } from '../../common/format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toast.ts'
import { DeckPreview } from './DeckPreview.tsx'
import { refreshCatalogue } from './queries.ts'
import type { ListName } from './search.ts'

type DeckImportProps = { list: ListName; name: string; onClose: () => void }
type Mode = 'replace' | 'merge'
type Wanted = { text: string; mode: Mode; at: string | null }

/** Applies a file only as it was previewed: the check returns a token for exactly these changes. */
export function DeckImport({ list, name, onClose }: DeckImportProps) {
  const [file, setFile] = useState<{ name: string; text: string } | null>(null)
  const [mode, setMode] = useState<Mode>('replace')
  const [isWithoutBad, setWithoutBad] = useState(false)
  /** Local time of the change as typed. Null for now. */
  const [at, setAt] = useState<string | null>(null)
  /** The last answer. It stays on the screen during a search. */
  const [found, setFound] = useState<DeckCheck | null>(null)
  const { id } = list
  const limits = { timeoutMs: DECK_TIMEOUT_MS }

  const check = useMutation({
    mutationFn: async ({ search, ...wanted }: Wanted & { search: string }) => {
      const request = { params: { id }, body: { ...deckOf(wanted), search }, ...limits }
      const { check: answer } = await (list.shelf === 'trunk'
        ? api('POST /api/trunks/:id/rate-deck/check', request)
        : api('POST /api/routes/:id/rate-deck/check', request))
      return answer
    },
  })
  const apply = useMutation({
    mutationFn: ({ text, token }: { text: string; token: string }) => {
      const body = { ...deckOf({ text, mode, at }), token, without_bad_lines: isWithoutBad }
      const request = { params: { id }, body, ...limits }
      return list.shelf === 'trunk'
        ? api('POST /api/trunks/:id/rate-deck', request)
        : api('POST /api/routes/:id/rate-deck', request)
    },
    onSuccess: ({ rate_count, effective_at }) => {
      toast.success(
        effective_at === null
          ? `${name} now has ${formatCount(rate_count, 'prefix rate')}.`
          : `The rates of ${name} change on ${formatDateTime(effective_at)}.`,
      )
      onClose()
    },
    onSettled: () => void refreshCatalogue(),
  })

  function begin(change: Partial<Wanted> = {}) {
    apply.reset()
    setFound(null)
    const wanted = { text: file?.text ?? '', mode, at, ...change }
    if (wanted.text !== '') check.mutate({ ...wanted, search: '' }, { onSuccess: setFound })
  }

  function chooseTime(next: string | null) {
    setAt(next)
    begin({ at: next })
  }

  async function choose(given: File | undefined) {
    if (!given) return
    setWithoutBad(false)
    check.reset()
    apply.reset()
    setFound(null)
    if (given.size > DECK_BYTES_MAX) {
      setFile(null)
      toast.error(`This file is too large. A rate deck can have up to ${DECK_BYTES_MAX / 1024 / 1024} MB.`)
      return
    }
    const text = await given.text()
    setFile({ name: given.name, text })
    begin({ text })
  }

  const isBad = (found?.fault_count ?? 0) > 0
  const isStale = apply.error instanceof ApiError && apply.error.code === 'changed_meanwhile'
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Import rates for ${name}`}
      description="Review changes before applying."
      maxWidth={900}
      isBusy={apply.isPending}
      footer={
        <>
          <Button disabled={apply.isPending} onClick={onClose}>
            Cancel
          </Button>
          {isStale && file ? (
            <Button variant="primary" busy={check.isPending} onClick={() => begin()}>
              Check again
            </Button>
          ) : (
            <Button
              variant="primary"
              disabled={!found || !check.isSuccess || (isBad && !isWithoutBad)}
              busy={apply.isPending}
              onClick={() => file && found && apply.mutate({ text: file.text, token: found.token })}
            >
              {[at === null ? 'Apply' : 'Plan', found && formatCount(changesIn(found.counts), 'change')]
                .filter(Boolean)
                .join(' ')}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Rate deck"
            hint={`CSV with prefix and price in dollars per minute. Up to ${formatCount(list.shelf === 'trunk' ? BUY_DECK_MAX : ROUTE_DECK_MAX, 'rate')}.`}
          >
            <Input
              type="file"
              accept=".csv,.txt,.tsv,text/csv,text/plain"
              className="h-auto py-2 file:mr-3 file:rounded-sm file:border-0 file:bg-ink/8 file:px-2 file:py-1 file:text-ink"
              onChange={(event) => void choose(event.target.files?.[0])}
            />
          </Field>
          <Field label="Prefixes not in the file">
            <Select
              value={mode}
              onChange={(event) => {
                const next = event.target.value as Mode
                setMode(next)
                begin({ mode: next })
              }}
            >
              <option value="replace">Remove them (the file replaces the deck)</option>
              <option value="merge">Keep them (the file has changes only)</option>
            </Select>
          </Field>
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Takes effect">
            <Select
              value={at === null ? 'now' : 'later'}
              onChange={(event) => chooseTime(event.target.value === 'now' ? null : nextMonday())}
            >
              <option value="now">Now</option>
              <option value="later">At a later time</option>
            </Select>
          </Field>
          {at !== null && (
            <Field
              label="Date and time"
              hint="In your time zone. Calls that begin from then on use the new rates."
            >
              <Input
                type="datetime-local"
                value={at}
                onChange={(event) => event.target.value !== '' && chooseTime(event.target.value)}
              />
            </Field>
          )}
        </div>
        {found?.future_day && (
          <Notice tone="info">
            The file has rates from {formatDate(`${found.future_day}T00:00`)} on.{' '}
            <Button size="sm" onClick={() => chooseTime(`${found.future_day}T00:00`)}>
              Plan for that day
            </Button>
          </Notice>
        )}
        {check.isPending && !found && (
          <p role="status" className="text-muted text-sm">
            Reading {file?.name}…
          </p>
        )}
        {check.isError && <Notice tone="danger">{explain(check.error, messages.unexpected)}</Notice>}
        {apply.isError && (
          <Notice tone="danger">{explain(apply.error, messages.unexpected)} Nothing was changed.</Notice>
        )}
        {found && file && (
          <DeckPreview
            check={found}
            isBusy={check.isPending}
            onSearch={(search) =>
              check.mutate({ text: file.text, mode, at, search }, { onSuccess: setFound })
            }
          />
        )}
        {found && isBad && (
          <Checkbox
            label={`Skip ${formatCount(found.fault_count, 'invalid line')}`}
            hint="Those prefixes stay unchanged."
            checked={isWithoutBad}
            onChange={(event) => setWithoutBad(event.target.checked)}
          />
        )}
      </div>
    </Dialog>
  )
}

const deckOf = ({ text, mode, at }: Wanted) => ({
  deck: text,
  mode,
  ...(at !== null && { effective_at: withOffset(at) }),
})

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** `2026-11-23T00:00:00+01:00`: the server also needs the local day. */
function withOffset(at: string): string {
  const minutes = -new Date(at).getTimezoneOffset()
  const ahead = Math.abs(minutes)
  const offset = `${twoDigits(Math.floor(ahead / 60))}:${twoDigits(ahead % 60)}`
  return `${at}:00${minutes < 0 ? '-' : '+'}${offset}`
}

/** Midnight at the start of next Monday as a value of the input. */
function nextMonday(): string {
  const day = new Date()
  day.setDate(day.getDate() + ((8 - day.getDay()) % 7 || 7))
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}T00:00`
}

const changesIn = ({ unchanged: _, ...changed }: Record<string, number>): number =>
  Object.values(changed).reduce((sum, each) => sum + each, 0)
