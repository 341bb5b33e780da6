import type { Parameters } from '../issue.ts'
import type { ExpandedFile, NamedScreen, Names } from '../names.ts'
import type { Part } from '../place.ts'
import type { SourceFile } from '../read.ts'
import type { WarningCode } from './catalogue.ts'
import type { Writes } from './writes.ts'

/** Says that something at a pointer of a file is hardly meant. */
export type Warn = (file: SourceFile, pointer: string, code: WarningCode, parameters?: Parameters, part?: Part) => void

/** What a check of one file may ask. */
export interface Ground {
  names: Names
  warn: Warn
}
/** What a check may ask that hangs on what any file sets. */
export interface WithWrites extends Ground {
  writes: Writes
}
/** What a check of all files may ask, once none of them has an issue. */
export interface Whole extends WithWrites {
  files: readonly ExpandedFile[]
  /** `entity.field` of what some file shows or reads. */
  uses: ReadonlySet<string>
  /** Asks the kind of a screen what it doubts about its file. */
  doubtOf(screen: NamedScreen): void
}

/** Was it written as it stands? What a template works out of its parameters may be anything. */
export const isWritten = ({ generated }: SourceFile, pointer: string): boolean =>
  generated === undefined || generated.origin(pointer).same

/** A screen stands for it: its analyst has written nothing of it. */
export const isBrought = ({ generated }: SourceFile): boolean => generated?.brought === true
