import { firstListReads } from './list/listRead.ts'

/** Screen kind → what it requests first, so that the requests need not wait for its view. */
export const firstReads = { list: firstListReads, imports: firstListReads }
