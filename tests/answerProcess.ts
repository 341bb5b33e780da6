/**
 * A server that is killed after a commit and before it answers: `answerProcess.ts <database> <dataDir> <catalog as
 * JSON>`. Prints the address that it listens on.
 */
import { readFileSync } from 'node:fs'
import type { Catalog } from '../engine/model/model.ts'
import { createClock } from '../engine/server/clock.ts'
import { openDatabase } from '../engine/server/postgres/database.ts'
import { prepareRuntime } from '../engine/server/prepare.ts'
import { createServer } from '../engine/server/server.ts'
import { widgets } from '../engine/widgets/index.ts'
import { procedures } from '../src/procedures/index.ts'

const [databaseUrl, dataDir, file] = process.argv.slice(2)
const catalog = JSON.parse(readFileSync(file, 'utf8')) as Catalog
const database = await openDatabase({ databaseUrl, dataDir })
const clock = createClock('2026-03-15')
const runtime = await prepareRuntime({ catalog, widgets, database, dataDir, procedures, clock })
const server = await createServer({ runtime, compile: () => ({ catalog, issues: [] }) })
server.server.prependListener('request', (_request, response) => {
  response.writeHead = () => {
    process.kill(process.pid, 'SIGKILL')
    return response
  }
})
console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
