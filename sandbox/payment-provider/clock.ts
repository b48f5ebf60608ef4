/** Node's maximum timer delay is 2^31 - 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

interface Task {
  at: number
  run: () => void
}

/**
 * The provider's clock: system time plus an offset that only grows, so that tests need not wait for invoice expiry
 * and callback retries.
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

  /** Runs the task at its time, or immediately if it is in the past. */
  at(time: number, run: () => void): void {
    if (time <= this.now()) {
      run()
    } else {
      this.#tasks.push({ at: time, run })
      if (time < this.#armedFor) this.#arm()
    }
  }

  /**
   * Moves ahead and runs every due task in order, including tasks that those tasks schedule. `settled` waits for the
   * work that a task has started.
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

  /** The earliest task up to `time`; ties run in scheduling order. */
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
