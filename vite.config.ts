import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// A current Node has a localStorage of its own, which would stand before the one of the pages that are tested.
const withoutStorage = '--no-experimental-webstorage'

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
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['engine/**/*.test.{ts,tsx}', 'src/**/*.test.{ts,tsx}', 'tests/**/*.test.{ts,tsx}'],
          exclude: ['tests/journeys/**'],
          globalSetup: ['tests/globalSetup.ts'],
        },
      },
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
