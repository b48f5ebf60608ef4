import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const API = 'http://localhost:3000'

/** jsPDF would load these to draw HTML and SVG, which we never ask of it. */
const unused = ['html2canvas', 'dompurify', 'canvg']

/**
 * Writes .br and .gz beside what compresses well, so that the server never spends time on it. Not index.html: the
 * server puts a nonce into it per request.
 */
function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    // Not closeBundle, which also runs after a failed build and would hide why it failed.
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
 * What nearly every screen needs comes in two files, one that changes with libraries and one that changes with us.
 * Left alone, the bundler cuts it into a dozen crumbs. The ui parts are named one by one, so that a heavy newcomer
 * does not slip into the first load; live calls are for those who are signed in.
 */
const chunks = [
  { name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/]/, priority: 2 },
  {
    name: 'base',
    test: /src[\\/](app[\\/](?!live-calls|server-events|ProofDialog)|ui[\\/](cx|Badge|Button|Field|Input|Lamp|Logo|Notice|PasswordInput|Spinner)\.tsx?)/,
    priority: 1,
  },
]

export default defineConfig({
  plugins: [react(), tailwindcss(), precompress()],
  worker: { format: 'es', rolldownOptions: { external: unused } },
  server: { proxy: { '/api': API, '/register': API } },
  build: {
    outDir: 'dist',
    target: 'es2022',
    sourcemap: false,
    modulePreload: { polyfill: false },
    // The content policy lets fonts and scripts come from files only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      external: unused,
      output: { codeSplitting: { groups: chunks } },
    },
  },
})
