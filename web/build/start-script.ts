import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

/**
 * Puts start.js into the page, and a script that shows the loading screen before any script has arrived and loads everything
 * a screen needs at once and not one after another.
 */
export function startScript(): Plugin {
  return {
    name: 'start-script',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const start = await readSource('start.js')
        const page = html.replace('<!-- start.js -->', () => `<script>${start}</script>`)
        if (!bundle) return page
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const preload = preloadScript(chunks, screensOf(await readSource('app/router.tsx')))
        return scriptsLast(page, `<script>${preload}</script>`)
      },
    },
  }
}

const readSource = (path: string) => readFile(new URL(`../src/${path}`, import.meta.url), 'utf8')

/** After the content: a page that is in the HTML already is not to share the line with the scripts. */
function scriptsLast(html: string, preload: string): string {
  const scripts = /^ *<(script type="module"|link rel="modulepreload").*\n/gm
  const found = Array.from(html.matchAll(scripts), ([line]) => line)
  return html.replace(scripts, '').replace('  </body>', () => `${found.join('')}    ${preload}\n  </body>`)
}

/** The paths of the router, each with the modules that it loads: that of its layout and its own. */
function screensOf(router: string): Map<string, string[]> {
  const screens = new Map<string, string[]>()
  let area = ''
  let layout: string[] = []
  const routes = /^( +)path: '([^']+)',(?:(?!createRoute)[\s\S])*?import\('\.\.\/([^']+)'\)/gm
  for (const [, indent = '', path = '', module = ''] of router.matchAll(routes)) {
    // The catalog of components is not part of the product.
    if (path === '/dev/ui') continue
    // Paths of a layout's screens are indented, and relative to the layout.
    if (indent.length === 2) {
      area = path
      layout = [module]
      screens.set(path, layout)
    } else screens.set(`${area}${path}`.replace(/(.)\/$/, '$1'), [...layout, module])
  }
  return screens
}

type Chunk = { fileName: string; isEntry: boolean; facadeModuleId: string | null; imports: string[] }

function preloadScript(built: Chunk[], screens: Map<string, string[]>): string {
  const withImports = (name: string): string[] => {
    const found = new Set([name])
    for (const one of found)
      for (const file of built.find(({ fileName }) => fileName === one)?.imports ?? []) found.add(file)
    return [...found]
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
  const needed = Array.from(screens, ([path, modules]) => {
    const wanted = new Set(modules.map(chunkOf).flatMap(withImports))
    return [path, [...wanted].filter((file) => !first.has(file)).map(indexOf)]
  })
  return `
;(() => {
  const files = ${JSON.stringify(files)}
  const screens = ${JSON.stringify(Object.fromEntries(needed))}
  const path = location.pathname.replace(/(.)\\/$/, '$1').replace(/\\/\\d+$/, '/$id')
  for (const at of screens[path] ?? []) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: '/' + files[at] })
    document.head.append(link)
  }
  // Without a session the app redirects.
  const loading = document.getElementById(path.startsWith('/admin-panal') ? 'loading-admin' : 'loading')
  if (!globalThis.earlySession || !loading || !screens[path]) return
  const root = document.getElementById('root')
  root.dataset.prerendered = 'loading'
  root.append(loading.content)
  // The first use of these takes a slow phone 150 ms. Now it only waits for scripts.
  requestAnimationFrame(() =>
    setTimeout(() => {
      try {
        Intl.DateTimeFormat().resolvedOptions()
        new Intl.NumberFormat(navigator.language).format(1.5)
        sessionStorage.length
      } catch {
        // The app works without storage.
      }
    }),
  )
})()
`
}
