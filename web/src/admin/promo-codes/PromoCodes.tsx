import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { PromoCode } from '@trunkline/contract/admin-promo-codes'
import { PROMO_CODE_MAX } from '@trunkline/contract/limits'
import { Tags } from 'lucide-react'
import { useState } from 'react'
import { ListCard } from '../../common/ListCard.tsx'
import { Pager } from '../../common/Pager.tsx'
import { SearchBox } from '../../common/SearchBox.tsx'
import { usePagination } from '../../common/use-pagination.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SkeletonTable } from '../../ui/Skeleton.tsx'
import { CodeTable } from './CodeTable.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { EditCode } from './EditCode.tsx'
import { NewCodeDialog } from './NewCodeDialog.tsx'
import { codesQuery } from './queries.ts'
import { type PromoCodesSearch, readSearch } from './search.ts'
import { UsesDrawer } from './UsesDrawer.tsx'

export function PromoCodes() {
  const search = readSearch(useSearch({ strict: false }))
  const { text, before } = search
  const navigate = useNavigate()
  const go = (next: PromoCodesSearch, replace = false) =>
    void navigate({ to: '/admin-panal/promo-codes', search: next, replace, resetScroll: false })
  const list: PromoCodesSearch = { ...(text && { text }), ...(before !== undefined && { before }) }

  const page = useQuery(codesQuery(text, before))
  const pagination = usePagination({ text }, before, page.isPlaceholderData ? null : page.data?.next)
  const [deleting, setDeleting] = useState<PromoCode | null>(null)
  const isEmpty = page.data?.promo_codes.length === 0 && !text && before === undefined

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h1 className="mr-auto font-semibold text-2xl tracking-tight">Promo Codes</h1>
        {!isEmpty && (
          <SearchBox
            label="Search promo codes"
            placeholder="Search codes"
            maxLength={PROMO_CODE_MAX}
            className="w-60 max-sm:w-full"
            text={text}
            onSearch={(next) => go(next ? { text: next } : {}, true)}
          />
        )}
        <AddButton variant="primary" className="max-sm:w-full" onClick={() => go({ ...list, new: 1 })}>
          New promo code
        </AddButton>
      </div>
      <ListCard
        label="Promo codes"
        query={page}
        failed="The promo codes could not be loaded."
        waiting={<Waiting />}
      >
        {({ promo_codes: codes }) =>
          codes.length === 0 ? (
            <EmptyState
              icon={<Tags />}
              title={
                text ? 'No matching codes' : before === undefined ? 'No promo codes yet' : 'No older codes'
              }
              text={
                isEmpty
                  ? 'Promo codes add a bonus to a top-up or credit to a balance. Create one and share it.'
                  : undefined
              }
              action={!isEmpty && <Button onClick={() => go({})}>Show all promo codes</Button>}
            />
          ) : (
            <>
              <CodeTable codes={codes} isOld={page.isPlaceholderData} list={list} onDelete={setDeleting} />
              <Pager
                label="Pages of promo codes"
                pagination={pagination}
                onGo={(to) => go({ ...(text && { text }), ...(to !== undefined && { before: to }) })}
              />
            </>
          )
        }
      </ListCard>
      {search.new && <NewCodeDialog onDone={() => go(list, true)} />}
      {search.edit !== undefined && (
        <EditCode key={search.edit} id={search.edit} onDone={() => go(list, true)} />
      )}
      <UsesDrawer id={search.uses} onClose={() => go(list, true)} />
      {deleting && <DeleteDialog code={deleting} onDone={() => setDeleting(null)} />}
    </>
  )
}

const Waiting = () => (
  <SkeletonTable rows={5} className="h-14" parts={['w-32', 'w-24 max-md:hidden', 'ml-auto w-20']} />
)
