import { useMutation } from '@tanstack/react-query'
import { BUY_DECK_MAX, DECK_BYTES_MAX, DECK_TIMEOUT_MS, ROUTE_DECK_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
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

/** Applies a file only as it was previewed: the check returns a token for exactly these changes. */
export function DeckImport({ list, name, onClose }: DeckImportProps) {
  const [file, setFile] = useState<{ name: string; text: string } | null>(null)
  const [mode, setMode] = useState<Mode>('replace')
  const [isWithoutBad, setWithoutBad] = useState(false)
  const { id } = list
  const limits = { timeoutMs: DECK_TIMEOUT_MS }

  const check = useMutation({
    mutationFn: async ({ text, wanted, search }: { text: string; wanted: Mode; search: string }) => {
      const request = { params: { id }, body: { deck: text, mode: wanted, search }, ...limits }
      const { check: answer } = await (list.shelf === 'trunk'
        ? api('POST /api/trunks/:id/rate-deck/check', request)
        : api('POST /api/routes/:id/rate-deck/check', request))
      return answer
    },
  })
  const apply = useMutation({
    mutationFn: ({ text, token }: { text: string; token: string }) => {
      const body = { deck: text, mode, token, without_bad_lines: isWithoutBad }
      const request = { params: { id }, body, ...limits }
      return list.shelf === 'trunk'
        ? api('POST /api/trunks/:id/rate-deck', request)
        : api('POST /api/routes/:id/rate-deck', request)
    },
    onSuccess: ({ rate_count }) => {
      toast.success(`${name} now has ${formatCount(rate_count, 'prefix rate')}.`)
      onClose()
    },
    onSettled: refreshCatalogue,
  })

  function begin(text: string, wanted: Mode, search = '') {
    apply.reset()
    check.mutate({ text, wanted, search })
  }

  async function choose(given: File | undefined) {
    if (!given) return
    setWithoutBad(false)
    check.reset()
    apply.reset()
    if (given.size > DECK_BYTES_MAX) {
      setFile(null)
      toast.error(`This file is too large. A rate deck can have up to ${DECK_BYTES_MAX / 1024 / 1024} MB.`)
      return
    }
    const text = await given.text()
    setFile({ name: given.name, text })
    begin(text, mode)
  }

  const found = check.data
  const isBad = (found?.fault_count ?? 0) > 0
  const isStale = apply.error instanceof ApiError && apply.error.code === 'changed_meanwhile'
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Import rates for ${name}`}
      description="Review changes before applying."
      maxWidth={900}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {isStale && file ? (
            <Button variant="primary" busy={check.isPending} onClick={() => begin(file.text, mode)}>
              Check again
            </Button>
          ) : (
            <Button
              variant="primary"
              disabled={!found || check.isPending || (isBad && !isWithoutBad)}
              busy={apply.isPending}
              onClick={() => file && found && apply.mutate({ text: file.text, token: found.token })}
            >
              {found ? `Apply ${formatCount(changesIn(found.counts), 'change')}` : 'Apply'}
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
                if (file) begin(file.text, next)
              }}
            >
              <option value="replace">Remove them (the file replaces the deck)</option>
              <option value="merge">Keep them (the file has changes only)</option>
            </Select>
          </Field>
        </div>
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
            hasTerms={list.shelf === 'route'}
            isBusy={check.isPending}
            onSearch={(search) => check.mutate({ text: file.text, wanted: mode, search })}
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

const changesIn = ({ unchanged: _, ...changed }: Record<string, number>): number =>
  Object.values(changed).reduce((sum, each) => sum + each, 0)
