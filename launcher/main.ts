import { UserError } from './user-error.ts'

/** Each command loads only its own modules: the server alone has hundreds. */
const commands: Record<string, (args: string[]) => Promise<void>> = {
  start: async (args) => (await import('./start.ts')).start(args),
  run: async (args) => (await import('./run.ts')).run(args),
  test: async (args) => (await import('./test.ts')).test(args),
  admin: async (args) => (await import('./admin.ts')).createAdmin(args),
  'check-books': async (args) => (await import('./check-books.ts')).printBooks(args),
  backup: async (args) => (await import('./backup.ts')).backUp(args),
  restore: async (args) => (await import('./backup.ts')).restore(args),
  archive: async (args) => (await import('./archive.ts')).archive(args),
  'move-database': async (args) => (await import('./move-database.ts')).moveDatabase(args),
  'leave-demo': async (args) => (await import('./leave-demo.ts')).leaveDemo(args),
  'install-switch': async (args) => (await import('./install-switch.ts')).installSwitch(args),
  switch: async (args) => (await import('./switch-alone.ts')).startSwitchAlone(args),
  build: async () => (await import('./build-web.ts')).buildWeb(),
}

// Keep the portal running when standard output is closed or full.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

const [command = '', ...args] = process.argv.slice(2)
try {
  await commands[command]?.(args)
} catch (error) {
  // User errors are printed without a stack trace; any other error is a bug.
  const text = error instanceof UserError ? error.message : error instanceof Error ? error.stack : error
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
