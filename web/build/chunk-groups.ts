/**
 * The bundler would put every shared module into a file of its own: 150 files, most of them under 1 kB. `vendor` changes with the libraries, and `base` is
 * our code on every screen. The first screens of both areas, which most visits start with, load no more than they use: `frame` is what both have,
 * `portal` and `admin` what one has. Other screens add `lists` and the group of their subject. A group also takes the imports of its modules that no
 * group of higher priority has. The modules of `base` are listed one by one, so that a large one does not get into the first load by accident.
 */
type Modules = { getModuleInfo(id: string): { importers: string[] } | null }

const firstScreens = {
  portal: /src\/portal\/(PortalLayout|home\/Home)\.tsx$/,
  admin: /src\/admin\/(AdminLayout|dashboard\/Dashboard)\.tsx$/,
}

const importers = new Map<string, string[]>()

/** The module and all that import it, directly or not. Imports on demand do not count. */
function importersOf(module: string, modules: Modules): string[] {
  const known = importers.get(module)
  if (known) return known
  const found = new Set([module])
  for (const one of found)
    for (const importer of modules.getModuleInfo(one)?.importers ?? []) found.add(importer)
  importers.set(module, [...found])
  return [...found]
}

const isOnFirst = (area: keyof typeof firstScreens, module: string, modules: Modules): boolean =>
  importersOf(module, modules).some((importer) => firstScreens[area].test(importer))

/** A group of the modules that `isIncluded` finds. */
const group = (debugName: string, isIncluded: (module: string, modules: Modules) => boolean) => ({
  debugName,
  name: (module: string, modules: Modules) => (isIncluded(module, modules) ? debugName : null),
})

export const chunkGroups = [
  {
    name: 'vendor',
    test: /node_modules[\\/](react|react-dom|scheduler|@tanstack|get-nonce)[\\/]/,
    priority: 9,
  },
  {
    name: 'base',
    test: new RegExp(
      [
        /src\/app\/(?!live-calls|server-events|ProofDialog)/,
        /src\/common\/(forms\/(use-form|FormFeedback)|SkipLink)\.tsx?/,
        /src\/ui\/(cx|Badge|Button|Card|Field|Form|Input|Lamp|Logo|Notice|PasswordInput|Spinner|Table|Tabs|Textarea|TrunkLine)\.tsx?/,
        /lucide-react\/dist\/esm\/icons\/(arrow-left|mail|menu)\./,
      ]
        .map(({ source }) => source)
        .join('|'),
    ),
    priority: 8,
  },
  { name: 'format', test: /src\/common\/(format\/|dollars)|domain\/money\//, priority: 8 },
  {
    name: 'plots',
    test: /node_modules\/d3-(array|shape|path)|src\/common\/charts\/scales/,
    priority: 8,
  },
  {
    name: 'dialogs',
    test: /node_modules\/(@?radix-ui|aria-hidden|react-remove-scroll)|src\/ui\/(ConfirmDialog|Dialog|DialogHeader|Drawer|FormDialog)\.tsx/,
    priority: 8,
  },
  {
    ...group('frame', (...of) => isOnFirst('portal', ...of) && isOnFirst('admin', ...of)),
    minShareCount: 2,
    priority: 7,
  },
  { ...group('portal', (...of) => isOnFirst('portal', ...of)), minShareCount: 2, priority: 6 },
  {
    ...group('admin', (...of) => isOnFirst('admin', ...of)),
    test: /src\/admin\//,
    minShareCount: 2,
    priority: 6,
  },
  {
    name: 'lists',
    test: /^(?!.*(domain\/(flows|decks|carrier-invoices|ringing)|carrier-invoice-words|src\/(portal|admin|public|common\/(addresses|calls\/(report|HangUpDialog)|charts\/axes|Confirm|SavedViews|guards|sound|tickets)|ui\/(CommandMenu|Tooltip))))/,
    minShareCount: 2,
    priority: 5,
  },
  { name: 'report', test: /src\/common\/calls\/report\//, minShareCount: 2, priority: 4 },
  { name: 'tickets', test: /src\/common\/tickets\//, minShareCount: 2, priority: 4 },
  { name: 'guards', test: /src\/common\/guards\//, minShareCount: 2, priority: 4 },
  // The call record tells the way through a flow, without the screens of flows.
  { name: 'flow-rules', test: /domain\/flows\//, minShareCount: 2, priority: 4 },
  { name: 'rings', test: /src\/portal\/numbers\//, minShareCount: 2, priority: 3 },
  { name: 'flows', test: /src\/portal\/flows\//, minShareCount: 2, priority: 2 },
  { name: 'more-portal', test: /src\/portal\//, minShareCount: 2, priority: 1 },
  { name: 'more-admin', test: /src\/admin\//, minShareCount: 2, priority: 1 },
  { name: 'sign-in', test: /src\/public\/login\//, minShareCount: 2, priority: 1 },
]
