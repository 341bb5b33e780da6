import './help.ts'
import { spawn } from 'node:child_process'
import { watchedPaths } from './watchedPaths.ts'

/**
 * `npm run dev`: one process on ./data (or DATA_DIR) with hot reload of the client and of the schema files, which
 * restarts when the engine or a procedure changes. Issues of a broken file are shown over the last good screen.
 */

const watching = watchedPaths.map((path) => `--watch-path=${path}`)
const server = spawn(process.execPath, ['--import', 'tsx', ...watching, 'src/server.ts', '--dev'], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => process.exit(code ?? 1))
