import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The same from src/ and from dist/. */
const root = new URL('../../../../', import.meta.url)

/** The parts of the page's script, in the order they need each other: they are compiled as modules and written as one. */
const parts = ['steps', 'rows', 'source', 'state', 'arrows', 'viewer', 'page']

/** The style sheet in parts; later ones come on top of those before. */
const styles = ['page', 'interleaving', 'run', 'media']

export interface Assets {
  readonly style: string
  readonly script: string
  /** By which the browser knows that the script is ours: no other one runs. */
  readonly scriptHash: string
}

export function readAssets(): Assets {
  const style = styles
    .map((name) => readFileSync(new URL(`runtime/report/${name}.css`, root), 'utf8'))
    .join('\n')
  const modules = parts.map((name) => readFileSync(new URL(`dist/web/${name}.js`, root), 'utf8'))
  const script = `'use strict';(() => {\n${modules.map(withoutModule).join('\n')}\n})()`
  const scriptHash = `sha256-${createHash('sha256').update(script).digest('base64')}`
  return { style, script, scriptHash }
}

/** A page that is one file can import nothing. */
function withoutModule(text: string): string {
  return text
    .replace(/^import [^;]*?;$/gms, '')
    .replace(/^export \{\};?$/gm, '')
    .replace(/^export /gm, '')
    .replace(/^\/\/# sourceMappingURL=.*$/gm, '')
}
