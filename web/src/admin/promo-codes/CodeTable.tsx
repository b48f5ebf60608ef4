import { Link } from '@tanstack/react-router'
import type { PromoCode } from '@trunkline/contract/admin-promo-codes'
import { promoTypeLabels } from '@trunkline/contract/promo-types'
import { useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { formatDate } from '../../common/format/dates.ts'
import { Badge, type BadgeTone } from '../../ui/Badge.tsx'
import { BlockTable, headCells, hidden, numeric } from '../../ui/BlockTable.tsx'
import { Button, buttonClass, inRowClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Td, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/toast.ts'
import { type CodeState, lastDayOf, shownValue, stateOf } from './promo-form.ts'
import { rereadCodes } from './queries.ts'
import type { PromoCodesSearch } from './search.ts'

type CodeTableProps = {
  codes: readonly PromoCode[]
  isOld: boolean
  list: PromoCodesSearch
  onDelete: (code: PromoCode) => void
}

const tones: Record<CodeState, BadgeTone> = {
  active: 'success',
  inactive: 'neutral',
  expired: 'neutral',
  'used up': 'pending',
}

export function CodeTable({ codes, isOld, list, onDelete }: CodeTableProps) {
  return (
    <BlockTable
      caption="Promo codes, newest first"
      isOld={isOld}
      heads={headCells([
        'Code',
        'Type',
        numeric('Value'),
        'State',
        'Uses',
        'Expiry',
        hidden('What can be done'),
      ])}
    >
      {codes.map((code) => (
        <CodeRow key={code.id} code={code} list={list} onDelete={onDelete} />
      ))}
    </BlockTable>
  )
}

type CodeRowProps = Pick<CodeTableProps, 'list' | 'onDelete'> & { code: PromoCode }

function CodeRow({ code, list, onDelete }: CodeRowProps) {
  const state = stateOf(code, new Date())
  return (
    <Tr className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-1 max-md:px-4 max-md:py-3.5">
      <Td className="break-all font-medium font-mono max-md:order-1 max-md:p-0 md:pl-4">{code.code}</Td>
      <Td className="max-md:order-3 max-md:p-0 max-md:text-muted">{promoTypeLabels[code.type]}</Td>
      <Td numeric className="font-semibold max-md:order-2 max-md:p-0">
        {shownValue(code)}
      </Td>
      <Td className="max-md:order-4 max-md:justify-self-end max-md:p-0">
        <Badge tone={tones[state]}>{state.charAt(0).toUpperCase() + state.slice(1)}</Badge>
      </Td>
      <Td className="figures max-md:order-5 max-md:p-0 max-md:text-sm">
        {code.used}
        {code.total_limit !== null && ` of ${code.total_limit}`}
        <span className="md:hidden"> used</span>
        <span className="text-muted text-xs max-md:block md:ml-2">
          {code.reserved > 0 && `${code.reserved} pending · `}
          {code.per_user_limit === null ? 'no limit per user' : `${code.per_user_limit} per user`}
        </span>
      </Td>
      <Td className="whitespace-nowrap max-md:order-6 max-md:justify-self-end max-md:p-0 max-md:text-sm">
        {code.expires_at === null ? (
          <span className="text-muted">
            Never<span className="md:hidden"> expires</span>
          </span>
        ) : (
          <>
            <span className="text-muted md:hidden">until </span>
            {formatDate(`${lastDayOf(code.expires_at)}T12:00:00`)}
          </>
        )}
      </Td>
      <Td className="max-md:order-7 max-md:col-span-2 max-md:mt-1.5 max-md:p-0 md:pr-4">
        <div className="flex flex-wrap gap-1.5 md:-my-0.5 md:flex-nowrap md:justify-end">
          <Link
            to="/admin-panal/promo-codes"
            search={{ ...list, uses: code.id }}
            resetScroll={false}
            preload={false}
            className={cx(buttonClass({ size: 'sm', variant: 'ghost' }), inRowClass)}
          >
            Redemptions<span className="sr-only"> of {code.code}</span>
          </Link>
          <Link
            to="/admin-panal/promo-codes"
            search={{ ...list, edit: code.id }}
            resetScroll={false}
            preload={false}
            className={cx(buttonClass({ size: 'sm' }), inRowClass)}
          >
            Edit<span className="sr-only"> {code.code}</span>
          </Link>
          {code.used + code.reserved > 0 ? (
            <Switch code={code} />
          ) : (
            <Button size="sm" className={inRowClass} onClick={() => onDelete(code)}>
              Delete<span className="sr-only"> {code.code}</span>
            </Button>
          )}
        </div>
      </Td>
    </Tr>
  )
}

/** A code that was used can be deactivated, not deleted. */
function Switch({ code }: { code: PromoCode }) {
  const [isBusy, setBusy] = useState(false)
  async function flip() {
    setBusy(true)
    try {
      await api('PATCH /api/admin/promo-codes/:id', {
        params: { id: code.id },
        body: { active: !code.active, version: code.version },
      })
      toast.success(code.active ? `${code.code} can no longer be used.` : `${code.code} can be used again.`)
    } catch (error) {
      toast.error(explain(error, 'The promo code could not be changed.'))
    }
    await rereadCodes()
    setBusy(false)
  }
  return (
    <Button size="sm" className={inRowClass} busy={isBusy} onClick={() => void flip()}>
      {code.active ? 'Deactivate' : 'Activate'}
      <span className="sr-only"> {code.code}</span>
    </Button>
  )
}
