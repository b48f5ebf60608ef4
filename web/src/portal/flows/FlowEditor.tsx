import { useQuery } from '@tanstack/react-query'
import type { FlowDetail } from '@trunkline/contract/flows'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Spinner } from '../../ui/Spinner.tsx'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { AddStep } from './AddStep.tsx'
import { findProblems } from './model/problems.ts'
import { Outline } from './panel/Outline.tsx'
import { StepPanel } from './panel/StepPanel.tsx'
import { soundsQuery } from './queries.ts'
import { Reading } from './Reading.tsx'
import { Simulator } from './simulator/Simulator.tsx'
import { useSimulation } from './simulator/use-simulation.ts'
import { Toolbar } from './Toolbar.tsx'
import { useEditor } from './use-editor.ts'
import { LeaveGuard, useSaving } from './use-saving.tsx'
import { useShortcuts } from './use-shortcuts.ts'

const Canvas = lazy(() => import('./canvas/Canvas.tsx'))

/** Draws, tries and publishes one flow. On a phone it can be read, tried and published. */
export function FlowEditor({ saved }: { saved: FlowDetail }) {
  const editor = useEditor(saved.draft)
  const saving = useSaving(saved, editor)
  const simulation = useSimulation(editor.flow)
  const [isTrying, setTrying] = useState(false)
  const { data: sounds } = useQuery(soundsQuery)
  const names = useMemo(() => new Map(sounds?.map(({ id, name }) => [id, name])), [sounds])
  const problems = useMemo(() => findProblems(editor.flow), [editor.flow])
  const isWide = useIsWide()
  useShortcuts(editor, saving.save)

  const simulator = (
    <Simulator
      flow={editor.flow}
      names={names}
      simulation={simulation}
      onClose={() => {
        simulation.stop()
        setTrying(false)
      }}
    />
  )
  const parts = { editor, names, problems }
  return (
    <div className="lg:-mx-4 lg:-mb-4">
      <Toolbar
        saved={saved}
        editor={editor}
        saving={saving}
        problems={problems}
        canEdit={isWide}
        isTrying={isTrying}
        onTry={() => setTrying(true)}
      />
      {isWide ? (
        <div className="card flex h-[calc(100dvh-11.5rem-var(--banner,0px))] min-h-120 overflow-hidden p-0">
          <Suspense fallback={<LoadingCanvas />}>
            <Canvas {...parts} simulation={isTrying ? simulation : null} />
          </Suspense>
          <aside
            aria-label="Flow details"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            tabIndex={0}
            className="w-[21rem] shrink-0 overflow-y-auto border-l bg-surface focus-visible:-outline-offset-2"
          >
            {isTrying ? simulator : editor.selected ? <StepPanel {...parts} /> : <Outline {...parts} />}
          </aside>
        </div>
      ) : (
        <div className="grid gap-4">
          {isTrying && <div className="card p-0">{simulator}</div>}
          <Reading {...parts} simulation={isTrying ? simulation : null} />
        </div>
      )}
      {editor.adding && <AddStep editor={editor} />}
      <LeaveGuard saving={saving} />
    </div>
  )
}

const LoadingCanvas = () => (
  <div className="grid min-w-0 flex-1 place-items-center bg-ground text-muted" role="status">
    <span className="flex items-center gap-2 text-sm">
      <Spinner />
      Loading the canvas…
    </span>
  </div>
)
