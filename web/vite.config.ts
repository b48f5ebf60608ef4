import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const API = 'http://localhost:3000'

/** jsPDF loads these only to draw HTML and SVG, which we do not use. */
const unused = ['html2canvas', 'dompurify', 'canvg']

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
 * Code that nearly every screen needs is in two files: `vendor` changes with the libraries, `base` with our own code. The bundler would
 * split it into a dozen small files, each with 900 bytes of response headers. Components are listed one by one, so that a large one
 * does not get into the first load by accident.
 */
const chunks = [
  { name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/]/, priority: 2 },
  {
    name: 'base',
    test: /src[\\/](app[\\/](?!live-calls|server-events|ProofDialog)|common[\\/]forms[\\/](use-form|FormFeedback)|ui[\\/](cx|Badge|Button|Field|Form|Input|Lamp|Logo|Notice|PasswordInput|Spinner|Tabs)\.tsx?)/,
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
    // The content security policy allows fonts and scripts from files only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      external: unused,
      output: { codeSplitting: { groups: chunks } },
    },
  },
})
