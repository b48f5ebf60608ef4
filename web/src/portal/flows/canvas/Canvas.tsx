import {
  exitName,
  exitsOf,
  type Flow,
  type FlowProblem,
  type SoundNames,
  stepName,
} from '@trunkline/domain/flows'
import {
  applyNodeChanges,
  Background,
  BackgroundVariant,
  type Connection,
  type Edge,
  MarkerType,
  type NodeChange,
  type OnConnectEnd,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react'
import { useEffect, useMemo, useState } from 'react'
import { connect, moveStep, STEP_WIDTH } from '../model/edit.ts'
import { problemOf } from '../panel/ProblemList.tsx'
import type { Simulation } from '../simulator/use-simulation.ts'
import type { Editor } from '../use-editor.ts'
import { onCanvasKey } from '../use-shortcuts.ts'
import { describeStep } from '../words.ts'
import { CanvasButtons } from './CanvasButtons.tsx'
import { fitOptions } from './fit.ts'
import { StepNode, type StepNodeType } from './StepNode.tsx'
import './canvas.css'

type CanvasProps = {
  editor: Editor
  names: SoundNames
  problems: readonly FlowProblem[]
  /** The path is highlighted. */
  simulation: Simulation | null
  /** A panel is open at the right. */
  isCovered: boolean
  onOutline: () => void
}

const nodeTypes = { step: StepNode }
const noAttribution = { hideAttribution: true }

/** A module of its own, because it loads the drawing library. */
export default function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  )
}

function Drawing({ editor, names, problems, simulation, isCovered, onOutline }: CanvasProps) {
  const { flow, selected, select, edit } = editor
  const wanted = useMemo(
    () => nodesOf(flow, { selected, names, problems, simulation }),
    [flow, selected, names, problems, simulation],
  )
  const [nodes, setNodes] = useState(wanted)
  const [selectedEdge, selectEdge] = useState<string | null>(null)
  const edges = useMemo(() => edgesOf(flow, selectedEdge, simulation), [flow, selectedEdge, simulation])
  const { screenToFlowPosition, fitView } = useReactFlow()

  useEffect(() => {
    // The library keeps its measurements in the nodes.
    setNodes((now) => {
      const known = new Map(now.map((node) => [node.id, node]))
      return wanted.map((node) => ({ ...known.get(node.id), ...node }))
    })
  }, [wanted])

  const visited = simulation?.visited
  useEffect(() => {
    // Follows the call.
    if (visited?.length)
      void fitView({ ...fitOptions(true), maxZoom: 0.9, nodes: visited.map((id) => ({ id })) })
  }, [visited, fitView])

  function onNodesChange(changes: NodeChange<StepNodeType>[]) {
    setNodes((now) => applyNodeChanges(changes, now))
    for (const change of changes) {
      if (change.type === 'select' && change.selected) select(change.id)
      // While it is dragged, a step moves on the canvas only.
      if (change.type === 'position' && change.position && !change.dragging) {
        const { id, position } = change
        edit((now) => moveStep(now, id, position), `move ${id}`)
      }
    }
  }

  const draw = ({ source, sourceHandle, target }: Connection) =>
    sourceHandle && edit((now) => connect(now, { stepId: source, exit: sourceHandle }, target))

  /** An exit that is dropped on the empty canvas gets a new step there. */
  const onConnectEnd: OnConnectEnd = (event, { fromNode, fromHandle, toNode }) => {
    if (toNode || !fromNode || fromHandle?.type !== 'source' || !fromHandle.id) return
    const point = 'changedTouches' in event ? event.changedTouches[0] : event
    if (!point) return
    const { x, y } = screenToFlowPosition({ x: point.clientX, y: point.clientY })
    editor.ask({ from: { stepId: fromNode.id, exit: fromHandle.id }, place: { x, y: y - 28 } })
  }

  function removeEdge() {
    const edge = edges.find(({ id }) => id === selectedEdge)
    if (!edge?.sourceHandle) return
    const from = { stepId: edge.source, exit: edge.sourceHandle }
    edit((now) => connect(now, from, null))
    selectEdge(null)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the steps on the canvas arrive here
    <div
      className="h-full"
      onKeyDown={(event) => {
        if (selectedEdge && (event.key === 'Delete' || event.key === 'Backspace')) removeEdge()
        else onCanvasKey(editor, event)
      }}
    >
      <ReactFlow
        aria-label="Flow canvas"
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        onNodesChange={onNodesChange}
        onNodeClick={(_, { id }) => {
          selectEdge(null)
          select(id)
        }}
        onEdgesChange={(changes) => {
          for (const change of changes)
            if (change.type === 'select' && change.selected) {
              select(null)
              selectEdge(change.id)
            }
        }}
        onPaneClick={() => {
          selectEdge(null)
          select(null)
        }}
        onConnect={draw}
        onConnectEnd={onConnectEnd}
        onReconnect={(edge, connection) => {
          const old = edge.sourceHandle
          if (old) edit((now) => connect(now, { stepId: edge.source, exit: old }, null), 'reconnect')
          if (connection.sourceHandle) {
            const from = { stepId: connection.source, exit: connection.sourceHandle }
            edit((now) => connect(now, from, connection.target), 'reconnect')
          }
        }}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        connectionRadius={30}
        minZoom={0.2}
        maxZoom={1.5}
        fitView
        fitViewOptions={fitOptions(isCovered)}
        snapToGrid
        snapGrid={[8, 8]}
        proOptions={noAttribution}
      >
        <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
        <CanvasButtons
          editor={editor}
          problems={problems}
          isCovered={isCovered}
          onOutline={onOutline}
          onRemoveEdge={selectedEdge ? removeEdge : null}
        />
      </ReactFlow>
    </div>
  )
}

type Looks = Pick<CanvasProps, 'names' | 'problems' | 'simulation'> & { selected: string | null }

const nodesOf = (flow: Flow, { selected, names, problems, simulation }: Looks): StepNodeType[] =>
  flow.steps.map((step) => {
    const about = describeStep(step, names)
    return {
      id: step.id,
      type: 'step',
      position: { x: step.x, y: step.y },
      width: STEP_WIDTH,
      selected: step.id === selected,
      ariaLabel: `${stepName(step)}. ${about}`,
      data: {
        step,
        about,
        isStart: flow.start === step.id,
        problem: problemOf(problems, step.id) ?? null,
        visit: simulation?.isRunning ? simulation.visitOf(step.id) : null,
      },
    }
  })

const edgesOf = (flow: Flow, selected: string | null, simulation: Simulation | null): Edge[] =>
  flow.steps.flatMap((step) =>
    exitsOf(step).flatMap((exit) => {
      const target = flow.steps.find(({ id }) => id === step.exits[exit])
      if (!target) return []
      const id = `${step.id} ${exit}`
      const isTaken = simulation?.isRunning && simulation.hasTaken(step.id, exit)
      return {
        id,
        source: step.id,
        sourceHandle: exit,
        target: target.id,
        reconnectable: true,
        selected: id === selected,
        ariaLabel: `${stepName(step)}, ${exitName(step.kind, exit)}: leads to ${stepName(target)}`,
        className: isTaken ? 'is-taken' : simulation?.isRunning ? 'is-faint' : '',
        zIndex: isTaken || id === selected ? 1 : 0,
        markerEnd: {
          type: MarkerType.ArrowClosed,
          markerUnits: 'userSpaceOnUse',
          width: 20,
          height: 20,
          color: isTaken ? 'var(--signal-edge)' : 'var(--edge)',
        },
      }
    }),
  )
