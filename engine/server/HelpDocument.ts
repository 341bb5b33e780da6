import type { Label } from '../model/model.ts'

/** A page of the help that is written in Markdown, in one language, beside those made from the catalog. */
export interface HelpDocument {
  name: string
  title: Label
  language: string
  /** Its path in the project, by which other documents link to it. */
  file: string
  text: string
}
