import type { Readable } from 'node:stream'

export interface StoredName {
  name: string
  size: number
  modified: Date
}

/**
 * Where a server stores its files, under names like `files/3f/3f9a…`: a folder, or a bucket. Names of uploaded files
 * are random and never reused.
 */
export interface FileStore {
  /** Its name for operators; holds no credentials. */
  readonly place: string
  /** Processes on other machines have the same files, and find the secret key there. */
  readonly isShared: boolean
  /** Atomic: a failed write leaves nothing that can be read. */
  write(name: string, content: Readable): Promise<void>
  /**
   * @param sha256 of the content, if known
   * @returns undefined if there is nothing under this name
   */
  read(name: string, sha256?: string): Promise<Readable | undefined>
  /** Does nothing if there is nothing under this name. */
  remove(name: string): Promise<void>
  /** Everything that belongs to a backup: the files sorted by name, then the key. */
  names(): AsyncIterable<StoredName>
  /** Removes what killed processes left half done. Call at the start, before this process writes. @returns how many. */
  clear(): Promise<number>
  /** A staging area for a restore, to replace the current files or be dropped. */
  replacement(): Replacement
}

export interface Replacement {
  /** Starts the next file, whose content follows. @throws if the name leads outside the store */
  begin(name: string): Promise<void>
  add(piece: Buffer): Promise<void>
  /**
   * Puts everything in place; the database is committed next.
   * @param mark writes a row into the database by which a killed restore is recognised
   */
  place(mark: (name: string) => Promise<void>): Promise<void>
  /** After the commit: removes the previous files. */
  keep(): Promise<void>
  /** Puts the previous files back. */
  undo(): Promise<void>
}

export const filesPrefix = 'files/'
export const keyName = 'secret.key'
