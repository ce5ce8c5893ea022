import { expect, it } from 'vitest'
import { commandFor } from './io.js'

it.each([
  ['/usr/local/bin/faultline', '/home/me', 'faultline'],
  ['/home/me/app/node_modules/.bin/faultline', '/home/me/app', 'npx faultline'],
  ['/home/me/faultline/bin/faultline.js', '/home/me/faultline', 'node bin/faultline.js'],
  ['/home/me/faultline/bin/faultline.js', '/home/me/app', 'node ../faultline/bin/faultline.js'],
])('run as %s in %s, it is called "%s"', (script, directory, command) => {
  expect(commandFor(script, directory)).toBe(command)
})
