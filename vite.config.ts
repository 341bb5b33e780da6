import { existsSync, readdirSync, readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// A current Node has a localStorage of its own, which would stand before the one of the pages that are tested.
const withoutStorage = '--no-experimental-webstorage'

/**
 * A page around a test, objects of its own in the place of what others use too, or what a module keeps from its first
 * reading on.
 */
const wantsOwnModules =
  /@vitest-environment|\bvi\.(mock|stub|spyOn|useFake|resetModules)|\bprocess\.env\.\w+ =|assign\(globalThis|\.getState\(\)/

/**
 * Test files that are run with modules of their own, as those over the whole product are. All others share those that a
 * worker has read: reading the engine takes longer than most of them.
 */
const apart = ['engine', 'src', 'tests']
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .filter(
    (name) =>
      /\.test\.tsx?$/.test(name) &&
      !name.startsWith('tests/journeys/') &&
      (name.startsWith('tests/') || wantsOwnModules.test(readFileSync(name, 'utf8'))),
  )

const unit = {
  include: ['engine/**/*.test.{ts,tsx}', 'src/**/*.test.{ts,tsx}', 'tests/**/*.test.{ts,tsx}'],
  exclude: ['tests/journeys/**'],
  globalSetup: ['tests/globalSetup.ts'],
}

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    // Each screen kind and each heavy widget is a chunk of its own; the sign-in page loads none of them.
    chunkSizeWarningLimit: 1200,
    manifest: true,
  },
  test: {
    testTimeout: 60_000,
    hookTimeout: 180_000,
    // Two cores carry two files at a time: much of it is waiting for a database or a page.
    maxWorkers: 2,
    // For a machine that stands still in the middle. `npm test` names what needed it: that is to be mended.
    retry: 1,
    execArgv: process.allowedNodeEnvironmentFlags.has(withoutStorage) ? [withoutStorage] : [],
    projects: [
      { extends: true, test: { ...unit, name: 'unit', exclude: [...unit.exclude, ...apart], isolate: false } },
      { extends: true, test: { ...unit, name: 'unit-apart', include: apart } },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          globalSetup: ['tests/journeys/globalSetup.ts'],
          testTimeout: 300_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
})
