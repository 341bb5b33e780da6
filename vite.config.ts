import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { projects, Sequencer } from './tests/projects.ts'

// Recent Node versions define localStorage, which would shadow that of the tested pages.
const withoutStorage = '--no-experimental-webstorage'

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    // Its own folder, because everything in it is served publicly.
    outDir: 'dist/client',
    // Each screen kind and each heavy widget is a chunk of its own; the sign-in page loads none of them.
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      treeshake: {
        // These packages do not declare it themselves; without it, one input pulls in the whole form library.
        moduleSideEffects: [{ test: /node_modules\/(rc-|@rc-component\/)/, sideEffects: false }],
      },
    },
    manifest: true,
  },
  test: {
    testTimeout: 120_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // Two workers for two cores: much of the time is spent waiting. A third worker saved a tenth, but overload made two
    // journeys fail.
    maxWorkers: 2,
    execArgv: [
      // Reduces garbage collection of short-lived objects.
      '--max-semi-space-size=64',
      // Most code runs only a few times; compiling it earlier saves a twentieth of a run.
      '--always-sparkplug',
      // Optimises later: most of the code that is optimised so early in a test has done its work by then. Newer versions
      // of Node do not know the option.
      ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=600000'] : []),
      ...(process.allowedNodeEnvironmentFlags.has(withoutStorage) ? [withoutStorage] : []),
    ],
    projects,
    sequence: { sequencer: Sequencer },
  },
})
