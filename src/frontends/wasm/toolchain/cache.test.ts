import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cacheFolder, folderCache, noCache, userCache } from './cache.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'faultline-cache-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const entry = {
  data: { name: 'é', list: [1, 2] },
  files: [Uint8Array.of(1, 2, 3), new Uint8Array(), Uint8Array.of(9)],
}

it('keeps entries', async () => {
  const cache = folderCache(folder)
  expect(await cache.read('a')).toBeUndefined()
  await cache.write('a', entry)
  const found = await folderCache(folder).read('a')
  expect(found?.data).toEqual(entry.data)
  expect(found?.files.map((file) => [...file])).toEqual([[1, 2, 3], [], [9]])
})

it('does not believe a damaged entry, whatever byte it is', async () => {
  const cache = folderCache(folder)
  await cache.write('b', entry)
  const file = path.join(folder, 'b.bin')
  const bytes = await readFile(file)
  for (let i = 0; i < bytes.length; i++) {
    const damaged = Uint8Array.from(bytes)
    damaged[i] ^= 1
    await writeFile(file, damaged)
    expect(await cache.read('b')).toBeUndefined()
    await writeFile(file, bytes.subarray(0, i))
    expect(await cache.read('b')).toBeUndefined()
  }
  await writeFile(file, bytes)
  expect(await cache.read('b')).toBeDefined()
})

it('many writers of one key leave one whole entry and nothing else', async () => {
  const caches = Array.from({ length: 8 }, () => folderCache(folder))
  await Promise.all(caches.map((cache) => cache.write('c', entry)))
  expect(await caches[0].read('c')).toBeDefined()
  expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

it('can do without', async () => {
  await noCache.write('a', entry)
  expect(await noCache.read('a')).toBeUndefined()
})

it('is where the user wants it', () => {
  expect(cacheFolder({ FAULTLINE_CACHE: '/here' })).toBe('/here')
  expect(cacheFolder({ XDG_CACHE_HOME: '/xdg' })).toBe(path.join('/xdg', 'faultline'))
  expect(cacheFolder({})).toMatch(/faultline$/)
})

it('refuses a folder that cannot be made, and does not try for ever', async () => {
  expect(() => userCache({ FAULTLINE_CACHE: '/proc/x/y' })).toThrow(
    /FAULTLINE_CACHE is \/proc\/x\/y: the folder cannot be made .*; name another/,
  )
  await folderCache('/proc/x/y').write('a', entry)
  expect(await folderCache('/proc/x/y').read('a')).toBeUndefined()
})
