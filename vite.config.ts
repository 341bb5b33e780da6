import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { projects, Sequencer } from './tests/projects.ts'

// A current Node has a localStorage of its own, which would stand before the one of the pages that are tested.
const withoutStorage = '--no-experimental-webstorage'

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    // Alone in its folder: all that is in it is given to whoever asks.
    outDir: 'dist/client',
    // Each screen kind and each heavy widget is a chunk of its own; the sign-in page loads none of them.
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      treeshake: {
        // They do not say so themselves: without it an input brings the whole form library with it.
        moduleSideEffects: [{ test: /node_modules\/(rc-|@rc-component\/)/, sideEffects: false }],
      },
    },
    manifest: true,
  },
  test: {
    testTimeout: 120_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // Two cores carry two files at a time: much of it is waiting for a database or a page. A third gained a tenth of the
    // time, and two journeys met what only a crowded machine does.
    maxWorkers: 2,
    execArgv: [
      // Less of the time goes into clearing away what is short-lived.
      '--max-semi-space-size=64',
      // Most code runs a few times: without waiting for the interpreter to find out, a run takes a twentieth less.
      '--always-sparkplug',
      ...(process.allowedNodeEnvironmentFlags.has(withoutStorage) ? [withoutStorage] : []),
    ],
    projects,
    sequence: { sequencer: Sequencer },
  },
})
