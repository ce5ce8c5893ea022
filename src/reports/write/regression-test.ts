import type { FailureFile } from '../../files/failure.js'
import { asComment } from '../../files/failure-in-test.js'
import { wrap } from './wrap.js'

const width = 92

/**
 * A recorded failure as a program in C, which is one in C++ as well, for whatever runs a project's tests: it has
 * `faultline replay --rebuild` try the schedule, which it holds itself, on the program as it is now.
 */
export function regressionTestText({ bug }: FailureFile, json: string, name: string): string {
  const program = name.replace(/\.[^.]*$/, '')
  const head = [
    `Regression test, exported by Faultline for: ${bug.message}${bug.location === null || bug.message.includes(bug.location) ? '' : ` (${bug.location})`}.`,
    ...(bug.explanation ? [bug.explanation.text] : []),
    '',
    'Replays the schedule at the end of this file on the program as it is now. The exit code is 0 once the bug is ' +
      'gone, 1 as long as it or another one shows, 2 if neither can be told (the program does not build, or has ' +
      'changed so much that nothing of the schedule fits), and 77, which means skipped to Automake and Meson, if ' +
      'there is no faultline. The variable FAULTLINE names another command, an argument this file if it has moved.',
  ]
  const usage = [
    `  cc ${name} -o ${program} && ./${program}`,
    `  faultline replay --rebuild ${name}      (the same, without compiling)`,
  ]
  return `/*
${[...head.flatMap((text) => wrap(harmless(text), width)), '', ...usage].map((line) => ` * ${line}`.trimEnd()).join('\n')}
 */
#ifdef __wasm__
#error "this test runs faultline, not the other way round: compile it with cc, or use faultline replay --rebuild"
#endif

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const char *test = argc > 1 ? argv[1] : __FILE__;
  execl("/bin/sh", "sh", "-c",
        "\${FAULTLINE:-faultline} replay --rebuild \\"$1\\"; code=$?; [ $code -ne 127 ] || code=77; exit $code",
        "sh", test, (char *)0);
  perror("/bin/sh");
  return 2;
}

${asComment(json)}
`
}

/** Text that can stand in a comment. */
function harmless(text: string): string {
  return text
    .replaceAll('*/', '* /')
    .replaceAll('/*', '/ *')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
}
