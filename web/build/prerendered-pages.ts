import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'

/**
 * Writes landing.html and login.html: the page with the screen and its styles inside, which the browser shows before any other file
 * is loaded. The page of the other screens gets the loading screens, of which start-script.ts shows one. The marks are replaced by the server, because the names of the provider are settings.
 */
export function prerenderedPages(): Plugin {
  let outDir = ''
  return {
    name: 'prerendered-pages',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    async writeBundle() {
      const index = await readFile(join(outDir, 'index.html'), 'utf8')
      const { pages, loading } = await markupOfPages(`${outDir}.prerender`)
      await writeFile(join(outDir, 'index.html'), index.replace(LOADING_SCREENS, loading))
      const page = await withStyles(index.replace(LOADING_SCREENS, ''), outDir)
      for (const [name, markup] of pages) {
        const filled = page.replace(
          '<div id="root"></div>',
          () => `<div id="root" data-prerendered="${name}">${markup}</div>`,
        )
        await writeFile(join(outDir, `${name}.html`), filled)
      }
    },
  }
}

const LOADING_SCREENS = '<!-- loading screens -->'

async function withStyles(page: string, outDir: string): Promise<string> {
  const link = /<link rel="stylesheet" crossorigin href="([^"]+)">/
  const path = link.exec(page)?.[1]
  if (!path) throw new Error('index.html links no styles')
  const styles = await readFile(join(outDir, path), 'utf8')
  return page.replace(link, () => `<style nonce="__CSP_NONCE__">${styles}</style>`)
}

async function markupOfPages(
  folder: string,
): Promise<{ pages: [name: string, markup: string][]; loading: string }> {
  try {
    await build({
      configFile: false,
      root: fileURLToPath(new URL('..', import.meta.url)),
      plugins: [react()],
      logLevel: 'error',
      build: { ssr: 'src/prerender.tsx', outDir: folder, copyPublicDir: false },
    })
    const { prerender, prerenderLoading } = await import(pathToFileURL(join(folder, 'prerender.js')).href)
    const support = { email: '__SUPPORT_EMAIL__', phone: '__SUPPORT_PHONE__' }
    const site = { name: '__SITE_NAME__', support, has_browser_phone: false, demo: null }
    const { portal, admin } = prerenderLoading()
    return {
      pages: [
        ['landing', harmless(await prerender('/', site))],
        ['login', harmless(await prerender('/login', site))],
      ],
      loading: `<template id="loading">${portal}</template><template id="loading-admin">${admin}</template>`,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Links work. What is typed or sent before the app has started would be lost. */
const harmless = (markup: string): string =>
  markup
    // The content security policy refuses style attributes. They only place details of a drawing.
    .replace(/ style="[^"]*"/g, '')
    .replace(/<(input|textarea) /g, '<$1 readonly="" ')
    .replace(/<button type="submit"/g, '<button type="button"')
