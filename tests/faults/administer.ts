/** What the faults do to an embedded database. */
import { setTimeout as passed } from 'node:timers/promises'
import { connect } from '../../engine/server/postgres/database.ts'
import { type Embedded, startEmbedded } from '../../engine/server/postgres/embedded.ts'

/** A superuser's session in another database of the cluster, because sessions in the product's are ended. */
export async function administer(dataDir: string) {
  const { administration, connection } = await startEmbedded({ dataDir, connect, share: true })
  const session = await connect({ ...administration, database: 'template1' }, 'faults')
  const name = connection.database
  return {
    name,
    query: (text: string) => session.query(text),
    endSessions: () =>
      session.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`),
    end: () => session.end(),
  }
}

/** Waits until the database accepts connections; its owner starts it. */
export async function isBack(embedded: Embedded): Promise<void> {
  for (;;) {
    try {
      return await (await connect(embedded.connection, 'faults')).end()
    } catch {
      await passed(20)
    }
  }
}
