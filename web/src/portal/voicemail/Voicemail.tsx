import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { VOICEMAIL_MESSAGES_MAX } from '@trunkline/contract/limits'
import type { VoicemailCounts, VoicemailView } from '@trunkline/contract/voicemail'
import { Voicemail as VoicemailIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api } from '../../app/api.ts'
import { Confirm } from '../../common/Confirm.tsx'
import { formatNumber } from '../../common/format/numbers.ts'
import { ListCard } from '../../common/ListCard.tsx'
import { ScreenTitle } from '../../common/ScreenTitle.tsx'
import { MoreBelow } from '../../common/ShowMore.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { SkeletonList } from '../../ui/Skeleton.tsx'
import { MailboxSettings } from './MailboxSettings.tsx'
import { MessageRow } from './MessageRow.tsx'
import { messagesQuery, rereadVoicemail, type Shown } from './queries.ts'
import { RecordingSettings } from './RecordingSettings.tsx'
import { Selection } from './Selection.tsx'
import { readSearch } from './search.ts'

/** The customer's mailbox: messages on the left, settings on the right. */
export function Voicemail() {
  const { show, message } = readSearch(useSearch({ from: '/customer-gate/dashboard/voicemail' }))
  return (
    <>
      <ScreenTitle title="Your mailbox" text="Messages from callers, your greeting and call recording." />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Messages key={show ?? 'all'} shown={show} opened={message} />
        <div className="flex min-w-0 flex-col gap-4">
          <MailboxSettings />
          <RecordingSettings />
        </div>
      </div>
    </>
  )
}

function Messages({ shown, opened }: { shown: Shown; opened: number | undefined }) {
  const query = useInfiniteQuery(messagesQuery(shown))
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [deleted, setDeleted] = useState<readonly number[] | null>(null)
  /** Messages that were played in the view of new ones. They stay until it is opened again, so that the sound goes on. */
  const [heard, setHeard] = useState<readonly VoicemailView[]>([])
  const messages = withHeard(query.data?.pages.flatMap((page) => page.messages) ?? [], heard)
  const isGone = useOpened(query, messages, shown === undefined ? opened : undefined)
  const selected = messages.filter(({ id }) => chosen.has(id)).map(({ id }) => id)

  function choose(id: number, isChosen: boolean) {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    setChosen(next)
  }

  return (
    <>
      {isGone && (
        <Notice tone="info" className="mb-4">
          The message you opened was deleted.
        </Notice>
      )}
      <ListCard
        label="Messages"
        query={query}
        failed="Your messages could not be loaded."
        heading={
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-5 py-3">
            <Views shown={shown} counts={query.data?.pages[0]?.counts} />
            {selected.length > 0 && (
              <Selection
                ids={selected}
                onDelete={() => setDeleted(selected)}
                onDone={() => setChosen(new Set())}
              />
            )}
          </div>
        }
        waiting={
          <SkeletonList rows={4} className="h-24 items-center gap-6 px-5" parts={['w-44', 'ml-auto w-64']} />
        }
      >
        {() =>
          messages.length === 0 ? (
            <Empty shown={shown} />
          ) : (
            <>
              <Full counts={query.data?.pages[0]?.counts} />
              <ul className="divide-y">
                {messages.map((message) => (
                  <MessageRow
                    key={message.id}
                    message={message}
                    isOpened={message.id === opened}
                    isChosen={chosen.has(message.id)}
                    onChoose={(isChosen) => choose(message.id, isChosen)}
                    onDelete={() => setDeleted([message.id])}
                    onHeard={() => {
                      const isKept = heard.some(({ id }) => id === message.id)
                      if (shown === 'new' && !isKept) setHeard([...heard, { ...message, is_new: false }])
                    }}
                  />
                ))}
              </ul>
              <MoreBelow query={query} />
              <p className="border-t px-5 py-3 text-muted text-sm">
                Dial *97 from your phone to listen. Press 9 there to record your greeting.
              </p>
            </>
          )
        }
      </ListCard>
      {deleted && (
        <Confirm
          title={deleted.length === 1 ? 'Delete this message?' : `Delete ${deleted.length} messages?`}
          text="The sound is deleted for good."
          action="Delete"
          failed="The messages could not be deleted."
          onConfirm={async () => {
            await api('POST /api/voicemail/delete', { body: { ids: [...deleted] } })
            setChosen(new Set())
            setHeard(heard.filter(({ id }) => !deleted.includes(id)))
            return { message: deleted.length === 1 ? 'Message deleted' : 'Messages deleted' }
          }}
          reread={rereadVoicemail}
          onClose={() => setDeleted(null)}
        />
      )}
    </>
  )
}

/** Loads further pages until the message of a link is listed. Returns true if it no longer exists. */
function useOpened(
  query: UseInfiniteQueryResult,
  messages: readonly VoicemailView[],
  opened: number | undefined,
): boolean {
  const { isSuccess, isFetching, isFetchedAfterMount, isPlaceholderData, hasNextPage, fetchNextPage } = query
  const [found, setFound] = useState<number>()
  const isListed = messages.some(({ id }) => id === opened)
  // A message that is deleted here does not need a notice.
  if (isListed && found !== opened) setFound(opened)
  const isMissing =
    opened !== undefined && found !== opened && isSuccess && isFetchedAfterMount && !isPlaceholderData

  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching) void fetchNextPage()
  }, [isMissing, hasNextPage, isFetching, fetchNextPage])

  return isMissing && !hasNextPage
}

/** The newest first. */
function withHeard(listed: readonly VoicemailView[], heard: readonly VoicemailView[]): VoicemailView[] {
  const listedIds = new Set(listed.map(({ id }) => id))
  const others = heard.filter(({ id }) => !listedIds.has(id))
  return [...listed, ...others].sort((left, right) => right.id - left.id)
}

const Full = ({ counts }: { counts: VoicemailCounts | undefined }) =>
  counts &&
  counts.new + counts.read >= VOICEMAIL_MESSAGES_MAX && (
    <Notice tone="danger" className="m-5">
      Your mailbox is full. Callers cannot leave messages until you delete some.
    </Notice>
  )

const views = [
  { label: 'All', show: undefined },
  { label: 'New', show: 'new' },
  { label: 'Heard', show: 'read' },
] as const

const Views = ({ shown, counts }: { shown: Shown; counts: VoicemailCounts | undefined }) => (
  <nav aria-label="Messages" className="flex gap-1">
    {views.map(({ label, show }) => (
      <Link
        key={label}
        to="/dashboard/voicemail"
        search={show ? { show } : {}}
        activeProps={{}}
        aria-current={show === shown ? 'page' : undefined}
        className={cx(
          'flex h-9 items-center gap-1.5 rounded-md px-3 font-medium text-sm hover:text-ink',
          show === shown ? 'bg-ink/6 text-ink' : 'text-muted',
        )}
      >
        {label}
        {counts && (
          <span className="figures text-muted">
            {formatNumber(show ? counts[show] : counts.new + counts.read)}
          </span>
        )}
      </Link>
    ))}
  </nav>
)

const Empty = ({ shown }: { shown: Shown }) => (
  <EmptyState
    icon={<VoicemailIcon />}
    title={shown === 'new' ? 'No new messages' : shown === 'read' ? 'No heard messages' : 'No messages yet'}
    text={
      shown
        ? 'Choose “All” to see every message.'
        : 'Let a number ring voicemail, or add a voicemail step to a flow. Dial *97 from your phone to listen, and press 9 there to record your greeting.'
    }
  />
)
