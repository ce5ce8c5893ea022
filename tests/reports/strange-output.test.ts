import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'

/** Prints HTML, control characters, bytes that are no UTF-8 and a megabyte of text; then it fails. */
const program = `#include <assert.h>
#include <stdio.h>
#include <string.h>

static char much[1000 * 1000];

int main(void) {
  memset(much, 'x', sizeof much);
  fwrite(much, 1, sizeof much, stdout);
  fputs("\\n<script>globalThis.harmed = 1</script></pre>]]>&amp;\\a\\033[31m\\xff\\xfe\\xc3(\\xed\\xa0\\x80\\n", stdout);
  fwrite("a\\0b\\n", 1, 4, stdout);
  assert(!"</script><b>");
}
`

/** What is written into files, and what is printed. */
async function written() {
  const folder = folderWith({ 'p.c': program })
  const files = ['--report', 'r.html', '--junit', 'r.xml', '--sarif', 'r.sarif']
  const ran = await faultline(folder, ['check', 'p.c', '--json', ...files])
  const text = await faultline(folder, [
    'replay',
    JSON.parse(ran.out).bugs[0].schedule,
    '--report',
    'again.html',
  ])
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return {
    ran,
    text,
    html: read('r.html'),
    again: read('again.html'),
    xml: read('r.xml'),
    sarif: read('r.sarif'),
  }
}

describe('a program that prints strange things', () => {
  it('does no harm to any report', async () => {
    const { ran, text, html, again, xml, sarif } = await written()
    expect([ran.code, ran.err]).toEqual([1, ''])
    const [bug] = JSON.parse(ran.out).bugs
    expect(bug.output.length).toBeGreaterThan(1_000_000)
    expect(bug.output).toContain('\u0007\u001b[31m\ufffd')
    for (const page of [html, again]) {
      expect(page).toContain(
        '&lt;script&gt;globalThis.harmed = 1&lt;/script&gt;&lt;/pre&gt;]]&gt;&amp;amp;␇␛[31m',
      )
      expect(page.match(/<script/g)).toHaveLength(2)
      expect(page).toContain('characters before this are left out')
      expect(page.length).toBeLessThan(300_000)
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
    const control = /[\u0000-\u0008\u000b-\u001f\ud800-\udfff]/
    for (const file of [html, again, xml, sarif]) expect(file).not.toMatch(control)
    expect(JSON.parse(sarif).runs[0].results).toHaveLength(1)
    expect(text.out.length).toBeLessThan(20_000)
  })
})
