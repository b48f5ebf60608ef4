/** Node keeps a timer for at most 2^31 - 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

interface Task {
  at: number
  run: () => void
}

/**
 * The provider's own time: the machine's, moved ahead on request, so that lifetimes of half an hour and
 * retries over hours can be watched without waiting for them. It only ever moves forward.
 */
export class ProviderClock {
  #offsetMs: number
  #tasks: Task[] = []
  #timer: NodeJS.Timeout | undefined
  #armedFor = Number.POSITIVE_INFINITY
  #advancing: Promise<void> = Promise.resolve()

  constructor(offsetMs: number) {
    this.#offsetMs = offsetMs
  }

  get offsetMs(): number {
    return this.#offsetMs
  }

  now(): number {
    return Date.now() + this.#offsetMs
  }

  /** Runs the task when its time has come: at once if that is past. */
  at(time: number, run: () => void): void {
    if (time <= this.now()) {
      run()
    } else {
      this.#tasks.push({ at: time, run })
      if (time < this.#armedFor) this.#arm()
    }
  }

  /**
   * Moves ahead, stopping at every task on the way as if the time had really passed: a retry that fails on
   * the way schedules the next one, and that one is met too. `settled` waits for what a task set going.
   */
  advance(seconds: number, settled: () => Promise<void>): Promise<void> {
    const move = async () => {
      const target = this.now() + seconds * 1000
      for (let task = this.#takeDue(target); task; task = this.#takeDue(target)) {
        this.#moveTo(task.at)
        task.run()
        await settled()
      }
      this.#moveTo(target)
      this.#arm()
    }
    this.#advancing = this.#advancing.then(move, move)
    return this.#advancing
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#tasks = []
  }

  #moveTo(time: number): void {
    this.#offsetMs += Math.max(0, time - this.now())
  }

  /** The earliest task up to `time`; of two at the same moment the one that was set first. */
  #takeDue(time: number): Task | undefined {
    let earliest: Task | undefined
    for (const task of this.#tasks) {
      if (task.at <= time && (!earliest || task.at < earliest.at)) earliest = task
    }
    if (earliest) this.#tasks.splice(this.#tasks.indexOf(earliest), 1)
    return earliest
  }

  #arm(): void {
    clearTimeout(this.#timer)
    this.#armedFor = this.#tasks.reduce(
      (earliest, task) => Math.min(earliest, task.at),
      Number.POSITIVE_INFINITY,
    )
    if (this.#tasks.length === 0) return
    const wait = Math.min(Math.max(0, this.#armedFor - this.now()), LONGEST_TIMER_MS)
    this.#timer = setTimeout(() => {
      for (let task = this.#takeDue(this.now()); task; task = this.#takeDue(this.now())) task.run()
      this.#arm()
    }, wait)
  }
}
