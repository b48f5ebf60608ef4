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
      <header className="mb-4 short:mb-1">
        <BackLink to="/admin-panal/trunks">Trunks &amp; Plans</BackLink>
        <h1 className="font-semibold text-2xl tracking-tight short:inline short:align-middle">
          System prompts
        </h1>
        <p className="mt-1 max-w-prose text-muted text-sm short:mt-0 short:max-w-none">
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
            <TabPanel value={language} className="flex flex-col gap-4">
              {promptGroups.map(({ title, text, has }) => (
                <Card key={title} aria-label={title} className="p-0">
                  <h2 className="px-5 pt-4 font-semibold">{title}</h2>
                  <p className="px-5 pb-3 text-muted text-sm">{text}</p>
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

function PromptRow({ prompt, onOpen }: { prompt: SystemPrompt; onOpen: (open: Open) => void }) {
  const { recording } = prompt
  const title = promptTitles[prompt.name]
  return (
    <li
      aria-label={title}
      className="grid items-center gap-x-8 gap-y-3 px-5 py-3 md:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {title}
          {recording && (
            <Badge tone="signal">
              Recording of {formatDuration(recording.seconds)}, {formatDate(recording.replaced_at)}
            </Badge>
          )}
        </p>
        <p lang={prompt.language} className="mt-0.5 break-words text-muted text-sm">
          “{prompt.text}”
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
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
