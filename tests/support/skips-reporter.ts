import type { Reporter, TestCase, TestModule } from 'vitest/node'

const leftToFull = 'left to npm run test:full'

/** Says at the end which tests were skipped, by file, and why: what is not run must not be taken for passed. */
export default class SkipsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = skipsOf(modules)
    if (lines.length > 0) console.log(`Skipped:\n${lines.map((line) => `  ${line}`).join('\n')}\n`)
  }
}

function skipsOf(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) => {
    const byReason = new Map<string, number>()
    for (const test of module.children.allTests('skipped')) {
      const reason = reasonOf(test)
      byReason.set(reason, (byReason.get(reason) ?? 0) + 1)
    }
    return [...byReason].map(([reason, count]) => `${count} of ${module.relativeModuleId}: ${reason}`)
  })
}

/** Tests that skip themselves say why; others are the ones that `runIf(isFull)` guards. */
function reasonOf(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' && result.note) || leftToFull
}
