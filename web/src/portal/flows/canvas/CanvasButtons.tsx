import { Panel, useReactFlow } from '@xyflow/react'
import { CircleAlert, LayoutGrid, Maximize, Plus, Unlink, ZoomIn, ZoomOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount } from '../../../common/format/numbers.ts'
import { Button } from '../../../ui/Button.tsx'
import { arrange } from '../model/arrange.ts'
import type { Problem } from '../model/problems.ts'
import type { Editor } from '../use-editor.ts'

type CanvasButtonsProps = {
  editor: Editor
  problems: readonly Problem[]
  /** Null unless a connection is selected. */
  onRemoveEdge: (() => void) | null
}

const FIT = { padding: 0.15, maxZoom: 1, duration: 200 }

export function CanvasButtons({ editor, problems, onRemoveEdge }: CanvasButtonsProps) {
  const { fitView, zoomIn, zoomOut } = useReactFlow()
  function tidy() {
    editor.edit(arrange)
    // After the steps have moved.
    requestAnimationFrame(() => requestAnimationFrame(() => void fitView(FIT)))
  }
  return (
    <>
      <Panel position="top-left" className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => editor.ask({})}>
          <Plus aria-hidden />
          Add step
        </Button>
        {problems.length > 0 && (
          <Button size="sm" className="border-danger/50 text-danger!" onClick={() => editor.select(null)}>
            <CircleAlert aria-hidden />
            {formatCount(problems.length, 'problem')}
          </Button>
        )}
        {onRemoveEdge && (
          <Button size="sm" onClick={onRemoveEdge}>
            <Unlink aria-hidden />
            Remove connection
          </Button>
        )}
      </Panel>
      <Panel position="bottom-left" className="flex gap-1.5">
        <IconButton label="Zoom in" onClick={() => void zoomIn()}>
          <ZoomIn aria-hidden />
        </IconButton>
        <IconButton label="Zoom out" onClick={() => void zoomOut()}>
          <ZoomOut aria-hidden />
        </IconButton>
        <IconButton label="Fit view" onClick={() => void fitView(FIT)}>
          <Maximize aria-hidden />
        </IconButton>
        <IconButton label="Arrange steps" onClick={tidy}>
          <LayoutGrid aria-hidden />
        </IconButton>
      </Panel>
    </>
  )
}

type IconButtonProps = { label: string; onClick: () => void; children: ReactNode }

const IconButton = ({ label, onClick, children }: IconButtonProps) => (
  <Button size="sm" aria-label={label} title={label} className="w-8 px-0" onClick={onClick}>
    {children}
  </Button>
)
