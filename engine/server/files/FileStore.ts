import type { Readable } from 'node:stream'

export interface StoredName {
  name: string
  size: number
}

/**
 * Where a server keeps its files, under names like `files/3f/3f9a…`: a folder, or a bucket. Names of uploaded files are
 * random and never written twice.
 */
export interface FileStore {
  /** What an operator calls it; holds no credentials. */
  readonly place: string
  /** Processes on other machines have the same files, and find the secret key there. */
  readonly isShared: boolean
  /** Whole or not at all: a failed write leaves nothing that can be read. */
  write(name: string, content: Readable): Promise<void>
  /**
   * @param sha256 of the content, where it is known
   * @returns undefined if there is nothing under this name
   */
  read(name: string, sha256?: string): Promise<Readable | undefined>
  /** Does nothing if there is nothing under this name. */
  remove(name: string): Promise<void>
  /** Everything that belongs to a backup: the files in the order of their names, then the key. */
  names(): AsyncIterable<StoredName>
  /** Removes what killed processes left half done. Call at the start, before this process writes. @returns how many. */
  clear(): Promise<number>
  /** What a restore writes into, to be put in the place of what there is, or dropped. */
  replacement(): Replacement
}

export interface Replacement {
  /** The next file; what follows is its content. @throws where the name leads elsewhere */
  begin(name: string): Promise<void>
  add(piece: Buffer): Promise<void>
  /**
   * Puts everything in place; the database is committed next.
   * @param mark writes a row into the database that a killed restore is known by
   */
  place(mark: (name: string) => Promise<void>): Promise<void>
  /** After the commit: removes what was there before. */
  keep(): Promise<void>
  /** Puts back what was there before. */
  undo(): Promise<void>
}

export const filesPrefix = 'files/'
export const keyName = 'secret.key'
