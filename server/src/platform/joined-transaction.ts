import type { Database } from './database.ts'

/**
 * A handle for services that open their own transactions. Their statements become part of `tx`, so that several commands of
 * services are committed together.
 */
export const joinTransaction = (tx: Database): Database =>
  new Proxy(tx, {
    get(target, name) {
      if (name === 'transaction')
        return () => ({ execute: (run: (handle: Database) => unknown) => run(joinTransaction(tx)) })
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
