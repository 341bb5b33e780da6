import type { Db } from '../db.ts'

type Answers<T extends readonly (() => unknown)[]> = { [K in keyof T]: Awaited<ReturnType<T[K]>> }

/** Independent reads: in parallel, or one after the other in a transaction, which is one connection. */
export async function together<T extends readonly (() => unknown)[]>(db: Db, ...reads: T): Promise<Answers<T>> {
  if (!db.isTransaction) return (await Promise.all(reads.map((read) => read()))) as Answers<T>
  const answers: unknown[] = []
  for (const read of reads) answers.push(await read())
  return answers as Answers<T>
}
