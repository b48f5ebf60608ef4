import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunkGroups } from './build/chunk-groups.ts'
import { prerenderedPages } from './build/prerendered-pages.ts'
import { startScript } from './build/start-script.ts'

const API = 'http://localhost:3000'

/** jsPDF loads these only to draw HTML and SVG, which we do not use. */
const unused = ['html2canvas', 'dompurify', 'canvg']

/**
 * Code of jsPDF that we do not use: drawing on a canvas, HTML, forms, scripts, settings of viewers, outlines, images, a table of its own, and fonts other
 * than the standard ones with Arabic and bidirectional text. It is most of the library. `printable.ts` lets only Latin-1 through.
 */
const unusedCode = [
  plugin('this.canvas = new Canvas'),
  plugin('this.context2d = new Context2D'),
  plugin('jsPDFAPI.html = '),
  plugin('jsPDFAPI.processArabic = '),
  plugin('jsPDFAPI.processGIF89A = '),
  plugin('jsPDFAPI.processBMP = '),
  plugin('jsPDFAPI.processWEBP = '),
  plugin('jsPDFAPI.processRGBA = '),
  plugin('jsPDFAPI.processJPEG = '),
  plugin('jsPDFAPI.addSvgAsImage = '),
  plugin('jsPDFAPI.__addimage__ = '),
  plugin('jsPDFAPI.addJS = '),
  plugin('jsPDFAPI.autoPrint = '),
  plugin('jsPDFAPI.setLanguage = '),
  plugin('jsPDFAPI.viewerPreferences = '),
  plugin('jsPDFAPI.printHeaderRow = '),
  plugin('jsPDFAPI.loadFile = '),
  plugin('jsPDFAPI.existsFileInVFS = '),
  plugin('var namesOid;'),
  plugin('var binaryStringToUint8Array = '),
  plugin('var pdfEscape16 = '),
  plugin('var bidiUnicodeTypes = '),
  /^var jsPDFAPI = jsPDF\.API;$[\s\S]*?^var AcroForm = jsPDF\.AcroForm;$/m,
  /^jsPDF\.API\.processPNG = [\s\S]*?^\};$/m,
  /^jsPDF\.API\.TTFFont = [\s\S]*?(?=^export )/m,
  /^export \{ (AcroForm\w*, )+/m,
  /^(BmpDecoder|WebPDecoder)\.prototype\.\w+ = [\s\S]*?^\};$/gm,
  /^import \{ decode \} from 'fast-png';$/m,
]

/** A plugin of jsPDF is a function at the top level that is called once. */
function plugin(name: string): RegExp {
  const end = String.raw`^\}\)\(jsPDF(?:\.API)?\);$`
  const withinOne = `(?:(?!${end})[\\s\\S])*?`
  return new RegExp(`^\\(function \\(jsPDF(?:API)?\\) \\{$${withinOne}${name}${withinOne}${end}`, 'm')
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

export default defineConfig({
  plugins: [react(), tailwindcss(), startScript(), prerenderedPages(), precompress()],
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
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
})
