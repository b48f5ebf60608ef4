import { useQuery } from '@tanstack/react-query'
import type { FlowDetail } from '@trunkline/contract/flows'
import { useMemo, useState } from 'react'
import { Failure } from '../../common/Failure.tsx'
import { useLazyModule } from '../../common/use-lazy-module.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { AddStep } from './AddStep.tsx'
import { Outline } from './panel/Outline.tsx'
import { SidePanel } from './panel/SidePanel.tsx'
import { StepPanel } from './panel/StepPanel.tsx'
import { putFlow, soundsQuery } from './queries.ts'
import { Reading } from './Reading.tsx'
import { Simulator } from './simulator/Simulator.tsx'
import { useSimulation } from './simulator/use-simulation.ts'
import { Toolbar } from './Toolbar.tsx'
import { useEditor } from './use-editor.ts'
import { useProblems } from './use-problems.ts'
import { LeaveGuard, useSaving } from './use-saving.tsx'
import { useShortcuts } from './use-shortcuts.ts'

/** Draws, tries and publishes one flow. On a phone it can be read, tried and published. */
export function FlowEditor({ opened }: { opened: FlowDetail }) {
  // A refetch does not change what the drawing is based on, so saving notices a newer draft.
  const [saved, setSaved] = useState(opened)
  const editor = useEditor(saved.draft)
  function onSaved(flow: FlowDetail) {
    setSaved(flow)
    putFlow(flow)
  }
  const saving = useSaving(saved, editor, onSaved)
  const [panel, setPanel] = useState<'outline' | 'simulator' | null>(null)
  const { data: sounds } = useQuery(soundsQuery)
  const names = useMemo(() => new Map(sounds?.map(({ id, name }) => [id, name])), [sounds])
  const simulation = useSimulation(editor.flow, names, sounds)
  const problems = useProblems(editor.flow)
  const isWide = useIsWide()
  useShortcuts(editor, saving.save)
  const canvas = useLazyModule('flow-canvas', () => import('./canvas/Canvas.tsx'), isWide)
  const Canvas = canvas.data?.default

  const isTrying = panel === 'simulator'
  function stopTrying() {
    simulation.stop()
    setPanel(null)
  }
  function showOutline() {
    editor.select(null)
    if (isTrying) simulation.stop()
    setPanel('outline')
  }

  const simulator = <Simulator names={names} simulation={simulation} />
  const parts = { editor, names, problems, simulation: isTrying ? simulation : null }
  return (
    <div className="lg:-mx-4 lg:-mt-4 lg:-mb-4">
      <Toolbar
        saved={saved}
        editor={editor}
        saving={saving}
        onSaved={onSaved}
        problems={problems}
        canEdit={isWide}
        isTrying={isTrying}
        onTry={() => {
          editor.select(null)
          setPanel('simulator')
        }}
      />
      {isWide ? (
        <div className="card relative h-[calc(100dvh-9.5rem-var(--banner,0px))] min-h-120 overflow-hidden p-0">
          {Canvas ? (
            <Canvas
              {...parts}
              isCovered={panel !== null || editor.selected !== null}
              onOutline={showOutline}
            />
          ) : canvas.isError && !canvas.isFetching ? (
            <Failure className="m-4" onRetry={() => void canvas.refetch()}>
              The canvas could not be loaded.
            </Failure>
          ) : (
            <LoadingCanvas />
          )}
          {isTrying ? (
            <SidePanel label="Simulator" title="Try the flow" onClose={stopTrying}>
              {simulator}
            </SidePanel>
          ) : editor.selected ? (
            <SidePanel label="Step" onClose={() => editor.select(null)}>
              <StepPanel {...parts} secret={saved.secret} />
            </SidePanel>
          ) : (
            panel === 'outline' && (
              <SidePanel label="Steps" title="Steps" onClose={() => setPanel(null)}>
                <Outline {...parts} />
              </SidePanel>
            )
          )}
        </div>
      ) : (
        <div className="grid grid-cols-1 gap-4">
          {isTrying && (
            <SidePanel isInline label="Simulator" title="Try the flow" onClose={stopTrying}>
              {simulator}
            </SidePanel>
          )}
          <Reading {...parts} />
        </div>
      )}
      {editor.adding && <AddStep editor={editor} />}
      <LeaveGuard saving={saving} />
    </div>
  )
}

const LoadingCanvas = () => (
  <div className="grid h-full place-items-center bg-ground text-muted" role="status">
    <span className="flex items-center gap-2 text-sm">
      <Spinner />
      Loading the canvas…
    </span>
  </div>
)
