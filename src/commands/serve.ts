import path from 'node:path'
import { main } from '../server.ts'

/** The arguments of `npm start`. */
export interface ServeOptions {
  demo?: boolean
  customers?: string
  persons?: string
  months?: string
}

/** Serves, with the demo in its own data folder. The entry point of the built server. */
export async function serve({ demo, customers = '60', months = '12', persons = '0' }: ServeOptions): Promise<void> {
  if (!demo) return main()
  process.env.DATA_DIR ||= path.resolve(import.meta.dirname, '../../data-demo')
  await main({
    async fill(context) {
      const { fillDemo } = await import('../demo/fillDemo.ts')
      const size = { customers: Number(customers), months: Number(months), persons: Number(persons) }
      await fillDemo(context, size, { onePassword: Boolean(process.env.ADMIN_PASSWORD) })
    },
  })
}
