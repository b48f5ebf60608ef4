import { useQuery } from '@tanstack/react-query'
import type { SystemPrompt } from '@trunkline/contract/system-prompts'
import { type Language, languages } from '@trunkline/domain/flows'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { BackLink } from '../../common/BackLink.tsx'
import { Confirm } from '../../common/Confirm.tsx'
import { formatDate } from '../../common/format/dates.ts'
import { formatDuration } from '../../common/format/durations.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { languageWords } from '../../common/languages.ts'
import { ListenButton } from '../../common/sound/ListenButton.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { aboveFoldClass, FoldButton } from '../../ui/FoldButton.tsx'
import { SkeletonCard } from '../../ui/SkeletonCard.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { loadPrompt, promptsQuery, rereadPrompts } from './queries.ts'
import { ReplacePrompt } from './ReplacePrompt.tsx'
import { promptGroups, promptTitles } from './words.ts'

type Open = { dialog: 'replace' | 'restore'; prompt: SystemPrompt }

/** What the system says by itself, in each language. */
export function SystemPrompts() {
  const query = useQuery(promptsQuery)
  const [language, setLanguage] = useState<Language>('en')
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <header className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 lg:mb-0 short:mb-1">
        <BackLink to="/admin-panal/trunks" className="mb-0!">
          Trunks &amp; Plans
        </BackLink>
        <h1 className="font-semibold text-2xl tracking-tight max-sm:w-full">System prompts</h1>
        <p className="max-w-prose text-muted text-sm max-xl:w-full xl:max-w-none">
          Callers hear the voice of the server until you replace a prompt with a recording. Changes apply to
          all following calls.
        </p>
      </header>
      <Loaded
        query={query}
        failed="The prompts could not be loaded."
        waiting={<SkeletonCard rows={8} className="h-10" />}
      >
        {(prompts) => (
          <Tabs value={language} onValueChange={(value) => setLanguage(value as Language)}>
            <TabList aria-label="Languages">
              {languages.map((each) => (
                <Tab key={each} value={each}>
                  {languageWords[each]}
                </Tab>
              ))}
            </TabList>
            <TabPanel value={language} className="flex flex-col gap-4 lg:gap-2 lg:pt-2">
              {promptGroups.map(({ title, text, has }) => (
                <Card key={title} aria-label={title} className="p-0">
                  <div className="px-5 pt-4 pb-3 lg:flex lg:items-baseline lg:gap-3 lg:px-4 lg:py-1">
                    <h2 className="font-semibold">{title}</h2>
                    <p className="text-muted text-sm">{text}</p>
                  </div>
                  <ul className="divide-y border-t">
                    {prompts
                      .filter((prompt) => prompt.language === language && has(prompt.name))
                      .map((prompt) => (
                        <PromptRow key={prompt.name} prompt={prompt} onOpen={setOpen} />
                      ))}
                  </ul>
                </Card>
              ))}
            </TabPanel>
          </Tabs>
        )}
      </Loaded>
      {open?.dialog === 'replace' && <ReplacePrompt prompt={open.prompt} onClose={close} />}
      {open?.dialog === 'restore' && <Restore prompt={open.prompt} onClose={close} />}
    </>
  )
}

/** Longer texts may not fit on a line. */
const LONG_TEXT = 70

/** One line on wide screens. A long text opens. */
function PromptRow({ prompt, onOpen }: { prompt: SystemPrompt; onOpen: (open: Open) => void }) {
  const [isWhole, setWhole] = useState(false)
  const { recording } = prompt
  const title = promptTitles[prompt.name]
  return (
    <li
      aria-label={title}
      className="relative grid items-center gap-x-8 gap-y-3 px-5 py-3 md:grid-cols-[minmax(0,1fr)_auto] lg:min-h-9 lg:gap-x-4 lg:px-4 lg:py-0.5 lg:text-sm"
    >
      <div className="min-w-0 lg:flex lg:items-center lg:gap-x-4">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium lg:shrink-0">
          <span className="lg:w-56">{title}</span>
          {recording && (
            <Badge tone="signal">
              Recording of {formatDuration(recording.seconds)}, {formatDate(recording.replaced_at)}
            </Badge>
          )}
        </p>
        <p
          lang={prompt.language}
          className={cx(
            'mt-0.5 min-w-0 break-words text-muted text-sm lg:mt-0',
            isWhole ? 'lg:py-1.5' : 'lg:truncate',
          )}
        >
          “{prompt.text}”
        </p>
        {prompt.text.length > LONG_TEXT && (
          <FoldButton
            of={title}
            isOpen={isWhole}
            onToggle={() => setWhole(!isWhole)}
            className="ml-auto max-lg:hidden"
          />
        )}
      </div>
      <div className={cx('flex flex-wrap gap-2', aboveFoldClass)}>
        <ListenButton
          // Another sound needs another player.
          key={recording?.replaced_at ?? 'voice'}
          size="sm"
          name={title}
          load={loadPrompt(prompt)}
          failed="The prompt could not be played. Please try again."
        />
        <Button
          size="sm"
          aria-label={`Replace ${title}`}
          onClick={() => onOpen({ dialog: 'replace', prompt })}
        >
          Replace
        </Button>
        {recording && (
          <Button
            size="sm"
            variant="ghost"
            aria-label={`Restore ${title}`}
            onClick={() => onOpen({ dialog: 'restore', prompt })}
          >
            Restore
          </Button>
        )}
      </div>
    </li>
  )
}

const Restore = ({ prompt, onClose }: { prompt: SystemPrompt; onClose: () => void }) => (
  <Confirm
    title={`Restore “${promptTitles[prompt.name]}”?`}
    text="The recording is deleted, and callers hear the voice of the server again."
    action="Restore prompt"
    failed="The prompt could not be restored."
    onConfirm={async () => {
      const { language, name } = prompt
      await api('DELETE /api/admin/system-prompts/:language/:name', { params: { language, name } })
      return { message: 'The prompt was restored.' }
    }}
    reread={rereadPrompts}
    onClose={onClose}
  />
)
