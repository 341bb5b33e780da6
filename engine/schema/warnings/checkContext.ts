import type { Family } from '../families/generate.ts'
import type { Parameters } from '../issues/issue.ts'
import type { Part } from '../reading/place.ts'
import type { WarningCode } from './catalogue.ts'
import type { Writes } from './writes.ts'
import type { SourceFile } from '../reading/SourceFile.ts'
import type { ExpandedFile, NamedScreen, Names } from '../named.ts'

/** Reports a warning at a pointer of a file. */
export type Warn = (file: SourceFile, pointer: string, code: WarningCode, parameters?: Parameters, part?: Part) => void

/** What a check of one file gets. */
export interface CheckContext {
  names: Names
  warn: Warn
}
/** Includes what any file sets. */
export interface WithWrites extends CheckContext {
  writes: Writes
}
/** What a check of all files gets, once none of them has an issue. */
export interface Whole extends WithWrites {
  files: readonly ExpandedFile[]
  families: readonly Family[]
  /** `entity.field` of every field that some file shows or reads. */
  uses: ReadonlySet<string>
  /** Those of them that some file may fill. */
  filled: ReadonlySet<string>
  /** Runs the warnings of a screen's kind. */
  doubtOf(screen: NamedScreen): void
}

/** Whether it was written literally: what a template computes from parameters may be anything. */
export const isWritten = ({ generated }: SourceFile, pointer: string): boolean =>
  generated === undefined || generated.origin(pointer).same

/** Generated for a screen, so no analyst wrote it. */
export const isBrought = ({ generated }: SourceFile): boolean => generated?.brought === true
