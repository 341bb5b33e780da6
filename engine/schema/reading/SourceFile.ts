/** A file under schemas/, its path with `/` and from the folder that the command was given. */
export interface SourceText {
  path: string
  text: string
}

export interface SourceFile extends SourceText {
  /** The folder: an area of app.json, or the name of the template that the file belongs to. */
  folder: string
  area: string
  name: string
  kind: string
  data: unknown
  /** It could not be read, or not with certainty: nobody complains of names that it may hold. */
  broken?: true
  /** Set where a family made the file. */
  generated?: Generated
}

interface Generated {
  /** Where a part of the file came from; `same`: the string there is the one that was written. */
  origin(pointer: string): { file: SourceFile; pointer: string; same: boolean }
  note: string
  /** The families whose parameters it contains; for a file made by one family, that one. */
  families?: readonly SourceFile[]
  /** A screen brings it; nobody has written it. */
  brought?: true
  /** The template and its file, where a family made it: `handling/addition.entity`. */
  template?: string
  /** The template itself. */
  madeBy?: SourceFile
  /** What that file is called of every family: `*Addition`. */
  named?: string
}
