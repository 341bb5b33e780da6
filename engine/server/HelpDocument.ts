import type { Label } from '../model/model.ts'

/** A page of the help written in Markdown, in one language, in addition to those generated from the catalog. */
export interface HelpDocument {
  name: string
  title: Label
  language: string
  /** Its path in the project, by which other documents link to it: a file, or a folder whose files are its sections. */
  path: string
  files: readonly { path: string; text: string }[]
}
