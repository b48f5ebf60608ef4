/** The clock of a switch. */
export interface SwitchClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs the task at its time, never synchronously. Returns a function that cancels it. */
  at(time: number, run: () => void): () => void
  /** Cancels all tasks. */
  stop(): void
}

export interface ManualSwitchClock extends SwitchClock {
  /** Moves ahead and runs every due task in order, including tasks that those tasks schedule. */
  advance(ms: number): void
}

/** Node's maximum timer delay is 2^31 - 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

interface Task {
  at: number
  order: number
  run: (() => void) | null
}

export function createManualSwitchClock(start = Date.UTC(2026, 0, 5, 9)): ManualSwitchClock {
  const tasks = createQueue()
  let now = start
  return {
    now: () => now,
    at: (time, run) => tasks.add(time, run),
    advance(ms) {
      const target = now + ms
      for (let task = tasks.takeDue(target); task; task = tasks.takeDue(target)) {
        now = Math.max(now, task.at)
        task.run?.()
      }
      now = target
    },
    stop: tasks.clear,
  }
}

/** One timer for all tasks, because a timer per task is too slow for thousands of calls per second. */
export function createSystemSwitchClock(): SwitchClock {
  const tasks = createQueue()
  let timer: NodeJS.Timeout | undefined
  let armedFor = Number.POSITIVE_INFINITY

  const arm = () => {
    clearTimeout(timer)
    armedFor = tasks.nextAt()
    if (armedFor === Number.POSITIVE_INFINITY) return
    timer = setTimeout(runDue, Math.min(Math.max(0, armedFor - Date.now()), LONGEST_TIMER_MS))
  }
  const runDue = () => {
    const now = Date.now()
    for (let task = tasks.takeDue(now); task; task = tasks.takeDue(now)) task.run?.()
    arm()
  }

  return {
    now: Date.now,
    at(time, run) {
      const cancel = tasks.add(time, run)
      if (time < armedFor) arm()
      return cancel
    },
    stop() {
      clearTimeout(timer)
      tasks.clear()
    },
  }
}

/** A heap ordered by time, then by scheduling order. */
function createQueue() {
  let heap: Task[] = []
  let added = 0
  const isBefore = (one: Task, other: Task) =>
    one.at < other.at || (one.at === other.at && one.order < other.order)
  const swap = (left: number, right: number) => {
    const task = heap[left] as Task
    heap[left] = heap[right] as Task
    heap[right] = task
  }
  const isOutOfOrder = (parent: number, child: number) =>
    child < heap.length && isBefore(heap[child] as Task, heap[parent] as Task)

  const rise = (from: number) => {
    for (let child = from; child > 0; ) {
      const parent = (child - 1) >> 1
      if (!isOutOfOrder(parent, child)) return
      swap(parent, child)
      child = parent
    }
  }
  const sink = () => {
    for (let parent = 0; ; ) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2]
      let first = parent
      if (isOutOfOrder(first, left)) first = left
      if (isOutOfOrder(first, right)) first = right
      if (first === parent) return
      swap(parent, first)
      parent = first
    }
  }
  const take = () => {
    const [first] = heap
    const last = heap.pop()
    if (last && heap.length > 0) {
      heap[0] = last
      sink()
    }
    return first
  }

  return {
    add(at: number, run: () => void) {
      const task: Task = { at, order: added++, run }
      heap.push(task)
      rise(heap.length - 1)
      return () => {
        task.run = null
      }
    },
    nextAt: () => heap[0]?.at ?? Number.POSITIVE_INFINITY,
    takeDue: (time: number) => ((heap[0]?.at ?? Number.POSITIVE_INFINITY) <= time ? take() : undefined),
    clear() {
      heap = []
    },
  }
}
