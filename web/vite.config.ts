import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'

const API = 'http://localhost:3000'

/** jsPDF loads these only to draw HTML and SVG, which we do not use. */
const unused = ['html2canvas', 'dompurify', 'canvg']

/** Code of jsPDF that we do not use: drawing on a canvas, HTML, Arabic letters, forms, scripts, settings of viewers, and every image format but JPEG. It is half of the library. */
const unusedCode = [
  plugin('this.canvas = new Canvas'),
  plugin('this.context2d = new Context2D'),
  plugin('jsPDFAPI.html = '),
  plugin('jsPDFAPI.processArabic = '),
  plugin('jsPDFAPI.processGIF89A = '),
  plugin('jsPDFAPI.processBMP = '),
  plugin('jsPDFAPI.processWEBP = '),
  plugin('jsPDFAPI.addSvgAsImage = '),
  plugin('jsPDFAPI.addJS = '),
  plugin('jsPDFAPI.autoPrint = '),
  plugin('jsPDFAPI.setLanguage = '),
  plugin('jsPDFAPI.viewerPreferences = '),
  /^var jsPDFAPI = jsPDF\.API;$[\s\S]*?^var AcroForm = jsPDF\.AcroForm;$/m,
  /^export \{ (AcroForm\w*, )+/m,
  /^(BmpDecoder|WebPDecoder)\.prototype\.\w+ = [\s\S]*?^\};$/gm,
  /^import \{ decode \} from 'fast-png';$/m,
]

/** A plugin of jsPDF is a function at the top level that is called once. */
function plugin(name: string): RegExp {
  const withinOne = String.raw`(?:(?!^\}\)\(jsPDF\.API\);$)[\s\S])*?`
  return new RegExp(
    `^\\(function \\(jsPDFAPI\\) \\{$${withinOne}${name}${withinOne}^\\}\\)\\(jsPDF\\.API\\);$`,
    'm',
  )
}

function trimJsPdf(): Plugin {
  return {
    name: 'trim-jspdf',
    transform: {
      filter: { id: /jspdf\.es\.js$/ },
      handler(code) {
        const trimmed = unusedCode.reduce((left, part) => {
          if (left.search(part) === -1) this.error(`jsPDF has changed: nothing matches ${part}`)
          return left.replace(part, part.source.startsWith('^export') ? 'export { ' : '')
        }, code)
        return { code: trimmed, map: null }
      },
    },
  }
}

const portal = (screen: string) => ['portal/PortalLayout.tsx', `portal/${screen}`]
const admin = (screen: string) => ['admin/AdminLayout.tsx', `admin/${screen}`]

/** The modules that the router loads for a path. Other paths find theirs without a preload. */
const screens: Record<string, string[]> = {
  '/': ['public/landing/Landing.tsx'],
  '/login': ['public/login/Login.tsx'],
  '/dashboard': portal('home/Home.tsx'),
  '/dashboard/profile': portal('profile/Profile.tsx'),
  '/dashboard/trunks': portal('trunks/Trunks.tsx'),
  '/dashboard/cdr-report': portal('cdr-report/CdrReport.tsx'),
  '/dashboard/support': portal('support/Support.tsx'),
  '/dashboard/topup': portal('topup/TopUp.tsx'),
  '/dashboard/upgrade': portal('upgrade/Upgrade.tsx'),
  '/admin-panal': admin('dashboard/Dashboard.tsx'),
  '/admin-panal/payments': admin('payments/Payments.tsx'),
  '/admin-panal/users': admin('users/Users.tsx'),
  '/admin-panal/promo-codes': admin('promo-codes/PromoCodes.tsx'),
  '/admin-panal/balances': admin('balances/Balances.tsx'),
  '/admin-panal/alerts': admin('alerts/Alerts.tsx'),
  '/admin-panal/trunks': admin('trunks/Trunks.tsx'),
  '/admin-panal/calls': admin('calls/Calls.tsx'),
  '/admin-panal/support': admin('support/Support.tsx'),
  '/admin-panal/audit-log': admin('audit-log/AuditLog.tsx'),
}

/** Puts start.js into the page, with the scripts that each screen needs, so that they load at once and not one after another. */
function inlineStart(): Plugin {
  return {
    name: 'inline-start',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const start = await readFile(new URL('src/start.js', import.meta.url), 'utf8')
        const preload = bundle
          ? preloadScript(Object.values(bundle).filter((file) => file.type === 'chunk'))
          : ''
        return html.replace('<!-- start.js -->', () => `<script>${start}${preload}</script>`)
      },
    },
  }
}

type Chunk = { fileName: string; isEntry: boolean; facadeModuleId: string | null; imports: string[] }

function preloadScript(built: Chunk[]): string {
  const withImports = (name: string): string[] => {
    const chunk = built.find(({ fileName }) => fileName === name)
    return [name, ...(chunk?.imports ?? []).flatMap(withImports)]
  }
  const chunkOf = (module: string): string => {
    const chunk = built.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${module}`))
    if (!chunk) throw new Error(`no chunk for ${module}`)
    return chunk.fileName
  }
  const first = new Set(
    built.filter(({ isEntry }) => isEntry).flatMap(({ fileName }) => withImports(fileName)),
  )
  const files: string[] = []
  const indexOf = (file: string) => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1)
  const needed = Object.entries(screens).map(([path, modules]) => {
    const wanted = new Set(modules.map(chunkOf).flatMap(withImports))
    return [path, [...wanted].filter((file) => !first.has(file)).map(indexOf)]
  })
  return `
;(() => {
  const files = ${JSON.stringify(files)}
  const screens = ${JSON.stringify(Object.fromEntries(needed))}
  for (const at of screens[location.pathname.replace(/(.)\\/$/, '$1')] ?? []) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: '/' + files[at] })
    document.head.append(link)
  }
})()
`
}

/** Writes .br and .gz files, so that the server never compresses. Not for index.html: the server adds a nonce per request. */
function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    // Not closeBundle, which also runs after a failed build and would hide its error.
    async writeBundle() {
      const files = await readdir(outDir, { recursive: true })
      await Promise.all(files.filter((file) => /\.(js|css|svg)$/.test(file)).map(compress))
    },
  }

  async function compress(file: string): Promise<void> {
    const path = join(outDir, file)
    const content = await readFile(path)
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
      promisify(gzip)(content, { level: 9 }),
    ])
    await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
  }
}

/**
 * Writes landing.html: the page with the landing page inside, which the browser shows before any script is loaded. The marks are
 * replaced by the server, because the names of the provider are settings.
 */
function landingPage(): Plugin {
  let outDir = ''
  return {
    name: 'landing-page',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    async writeBundle() {
      const page = await readFile(join(outDir, 'index.html'), 'utf8')
      const markup = await landingMarkup(`${outDir}.prerender`)
      const filled = page.replace(
        '<div id="root"></div>',
        () => `<div id="root" data-prerendered>${markup}</div>`,
      )
      await writeFile(join(outDir, 'landing.html'), filled)
    },
  }
}

async function landingMarkup(folder: string): Promise<string> {
  try {
    await build({
      configFile: false,
      root: fileURLToPath(new URL('.', import.meta.url)),
      plugins: [react()],
      logLevel: 'error',
      build: { ssr: 'src/prerender.tsx', outDir: folder, copyPublicDir: false },
    })
    const { prerenderLanding } = await import(pathToFileURL(join(folder, 'prerender.js')).href)
    const support = { email: '__SUPPORT_EMAIL__', phone: '__SUPPORT_PHONE__' }
    const markup: string = await prerenderLanding({ name: '__SITE_NAME__', support, demo: null })
    return (
      markup
        // The content security policy refuses style attributes. They only place details of a drawing.
        .replace(/ style="[^"]*"/g, '')
        // Without the script, what is typed would be lost. Links work.
        .replace(/<(input|textarea) /g, '<$1 readonly="" ')
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * The bundler would put every shared module into a file of its own: 150 files, most of them under 1 kB. `vendor` changes with the libraries, `base` is
 * our code on every screen, and signed-in screens add `shared` and their area. A group also takes the imports of its modules that no group of higher
 * priority has. The modules of `base` are listed one by one, so that a large one does not get into the first load by accident.
 */
const chunks = [
  {
    name: 'vendor',
    test: /node_modules[\\/](react|react-dom|scheduler|@tanstack|get-nonce)[\\/]/,
    priority: 5,
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
    priority: 4,
  },
  // The landing page needs it too, but not the rest of `shared`.
  { name: 'format', test: /src\/common\/(format\/|dollars)|domain\/money\//, priority: 4 },
  {
    name: 'plots',
    test: /node_modules\/(@visx|d3-(?!selection|zoom|drag|dispatch|timer|transition|ease)|internmap)/,
    priority: 4,
  },
  {
    name: 'dialogs',
    test: /node_modules\/(@?radix-ui|aria-hidden|react-remove-scroll)|src\/ui\/(Dialog|DialogHeader|Drawer)\.tsx/,
    priority: 4,
  },
  {
    name: 'shared',
    test: /^(?!.*(domain\/flows|src\/(portal|admin|public|common\/(addresses|calls\/(report|HangUpDialog)|charts\/axes|Confirm|tickets)|ui\/(CommandMenu|FormDialog|Tooltip))))/,
    minShareCount: 2,
    priority: 3,
  },
  { name: 'report', test: /src\/common\/calls\/report\//, minShareCount: 2, priority: 2 },
  { name: 'tickets', test: /src\/common\/tickets\//, minShareCount: 2, priority: 2 },
  // The call record tells the way through a flow, without the screens of flows.
  { name: 'flow-rules', test: /domain\/flows\//, minShareCount: 2, priority: 2 },
  { name: 'flows', test: /src\/portal\/flows\//, minShareCount: 2, priority: 2 },
  { name: 'portal', test: /src\/portal\//, minShareCount: 2, priority: 1 },
  { name: 'admin', test: /src\/admin\//, minShareCount: 2, priority: 1 },
  { name: 'sign-in', test: /src\/public\/login\//, minShareCount: 2, priority: 1 },
]

export default defineConfig({
  plugins: [react(), tailwindcss(), inlineStart(), landingPage(), precompress()],
  worker: { format: 'es', plugins: () => [trimJsPdf()], rolldownOptions: { external: unused } },
  // The other build is minified, which hides its parts.
  resolve: { alias: { jspdf: 'jspdf/dist/jspdf.es.js' } },
  server: { proxy: { '/api': API, '/register': API } },
  build: {
    outDir: 'dist',
    target: 'es2022',
    sourcemap: false,
    modulePreload: { polyfill: false },
    // The content security policy allows fonts and scripts from files only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      external: unused,
      output: { codeSplitting: { groups: chunks } },
    },
  },
})
