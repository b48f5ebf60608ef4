import type { FlowProblem } from '@trunkline/domain/flows'
import { Panel, useReactFlow } from '@xyflow/react'
import { CircleAlert, LayoutGrid, List, Maximize, TriangleAlert, Unlink, ZoomIn, ZoomOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount } from '../../../common/format/numbers.ts'
import { AddButton } from '../../../ui/AddButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { arrange } from '../model/arrange.ts'
import type { Editor } from '../use-editor.ts'
import { fitOptions } from './fit.ts'

type CanvasButtonsProps = {
  editor: Editor
  problems: readonly FlowProblem[]
  isCovered: boolean
  onOutline: () => void
  /** Null unless a connection is selected. */
  onRemoveEdge: (() => void) | null
}

export function CanvasButtons({ editor, problems, isCovered, onOutline, onRemoveEdge }: CanvasButtonsProps) {
  const { fitView, zoomIn, zoomOut } = useReactFlow()
  const errors = problems.filter(({ severity }) => severity === 'error')
  const isBroken = errors.length > 0
  function tidy() {
    editor.edit(arrange)
    // After the steps have moved.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => void fitView({ ...fitOptions(isCovered), duration: 200 })),
    )
  }
  return (
    <>
      <Panel position="top-left" className="flex flex-wrap gap-2">
        <AddButton size="sm" onClick={() => editor.ask({})}>
          Add step
        </AddButton>
        <Button size="sm" onClick={onOutline}>
          <List aria-hidden />
          Steps
        </Button>
        {problems.length > 0 && (
          <Button
            size="sm"
            className={isBroken ? 'border-danger/50 text-danger!' : 'border-pending/50 text-pending!'}
            onClick={onOutline}
          >
            {isBroken ? <CircleAlert aria-hidden /> : <TriangleAlert aria-hidden />}
            {isBroken ? formatCount(errors.length, 'problem') : formatCount(problems.length, 'warning')}
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
        <IconButton
          label="Fit view"
          onClick={() => void fitView({ ...fitOptions(isCovered), duration: 200 })}
        >
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
