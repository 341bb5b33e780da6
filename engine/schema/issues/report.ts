import type { Node } from 'jsonc-parser'
import { bare, blamed, valueAt } from '../families/blame.ts'
import { fixOf, withoutDoubt } from './fix.ts'
import { mergeAlike } from './mergeAlike.ts'
import { sentence, type Issue, type IssueCode, type Parameters, type Fix } from './issue.ts'
import { positionOf, rangeOf, treeOf, type Part } from '../reading/place.ts'
import type { SourceFile } from '../reading/SourceFile.ts'

/** Reports an issue at a pointer of a file. */
export type Report = (file: SourceFile, pointer: string, code: IssueCode, parameters?: Parameters, part?: Part) => void

type ReportArguments = [file: SourceFile, pointer: string, code: IssueCode, parameters?: Parameters, part?: Part]

type Fault = [
  file: Pick<SourceFile, 'path' | 'text'>,
  offset: number,
  length: number,
  code: IssueCode,
  message: string,
  suggestion?: string,
]

/** Collects the issues of all phases; positions are looked up only here. */
export class Reporter {
  private readonly issues = new Map<string, Issue & Pick<Parameters, 'certain'>>()
  private readonly faulty = new Set<SourceFile>()
  private unread = false
  /** Names of files of unknown kind: something with such a name may be declared in them. */
  readonly unnamed = new Set<string>()
  /** Collects the issues of generated files, at the values that caused them or in the file itself. */
  private readonly brought = new Map<Issue, 'dynamic' | readonly SourceFile[]>()
  /** Issue of a file that the engine generated for a screen → its text, without what caused it. */
  private readonly echoes = new Map<Issue, string>()
  private readonly familiesOf = new Map<Issue, readonly SourceFile[]>()
  private readonly issuesByPlace = new Map<string, Issue>()
  private readonly trees = new Map<SourceFile, Node | undefined>()

  readonly report: Report = (file, pointer, code, parameters = {}, part = {}) => {
    this.faulty.add(file)
    // The declaration is misspelt, and is reported there.
    if (isNamedBadly(code, parameters.suggestion)) return
    this.issueAt(file, pointer, code, parameters, part)
  }

  /** The same, as finally reported. */
  issueAt(...[file, pointer, code, parameters = {}, part = {}]: ReportArguments): Issue {
    const origin = file.generated?.origin(pointer)
    const families = file.generated?.families
    const made = valueAt(file.data, pointer)
    const brought = origin && families && blamed(origin, meantFirst(families, pointer, made), parameters.found, made)
    const { file: where, pointer: at } = brought ?? origin ?? { file, pointer }
    const from = where.generated ? undefined : this.tree(where)
    const range = rangeOf(from, where.text, at, brought ? {} : origin?.same === false ? { key: part.key } : part)
    const plain = sentence(code, parameters)
    const text = `${plain}${file.generated?.note ? ` ${file.generated.note}` : ''}`
    // One place in a family appears many times in its files: it is reported once.
    const placeKey =
      brought && parameters.found !== undefined ? `${where.path}\n${range.start}\n${bare(parameters.found)}` : ''
    const before = this.issuesByPlace.get(placeKey)
    if (before) return before
    const issue = this.put(where, range.start, range.end - range.start, code, text, parameters.suggestion)
    if (placeKey) this.issuesByPlace.set(placeKey, issue)
    if (file.generated && !families) this.echoes.set(issue, plain)
    if (families) this.familiesOf.set(issue, families)
    if (families) this.brought.set(issue, origin?.same === false ? 'dynamic' : families)
    if (brought) return issue
    const fix: Fix | undefined = fixOf(where.text, from, { code, pointer: at, range, parameters })
    if (fix) Object.assign(issue, { fix, ...(parameters.certain && { certain: parameters.certain }) })
    return issue
  }

  /** The same for a text that could not be parsed, with known offsets. */
  add(...fault: Fault): void {
    this.unread = true
    this.put(...fault)
  }

  private put(...[file, offset, length, code, message, suggestion]: Fault): Issue {
    const { line, column, excerpt } = positionOf(file.text, offset)
    const issue = {
      code,
      file: file.path,
      line,
      column,
      length: Math.min(length, Math.max(0, excerpt.length - column + 1)),
      message,
      ...(suggestion !== undefined && { suggestion }),
      excerpt,
    }
    this.issues.set(`${file.path}\n${offset}\n${code}\n${message}`, issue)
    return issue
  }

  /** Whether all files could be read and the selected ones have no issues. */
  isClean(meant: (file: SourceFile) => boolean): boolean {
    return !this.unread && ![...this.faulty].some(meant)
  }

  /**
   * Issues by file and place, without duplicates, and without those that follow from a family's own issues or repeat in
   * a generated file what is reported at its source.
   */
  sorted(): Issue[] {
    const faulty = [...this.faulty].filter(({ kind }) => kind === 'family')
    const all = [...this.issues.values()]
    const isDirect = (issue: Issue) => issue.code !== 'template-fault' && !this.brought.has(issue)
    const isWrong = all.some((issue) => isDirect(issue) && faulty.some(({ path }) => path === issue.file))
    const follows = (issue: Issue) => {
      const by = this.brought.get(issue)
      if (by === undefined) return issue.code === 'template-fault'
      if (by === 'dynamic' || (by.length === 1 && faulty.includes(by[0]))) return true
      // If two families share a key, a file that lists all families has everything twice.
      return issue.code.startsWith('duplicate-') && by.some((family) => faulty.includes(family))
    }
    const own = new Set(all.filter((issue) => !this.echoes.has(issue)).map(({ code, message }) => `${code} ${message}`))
    const isEcho = (issue: Issue) => own.has(`${issue.code} ${this.echoes.get(issue)}`)
    const placeOf = ({ file, line, column }: Issue) => `${file}:${line}:${column}`
    const unknown = new Set(all.filter(({ code }) => code.startsWith('unknown-')).map(placeOf))
    // A name that is unknown is not also reported as malformed.
    const isToo = (issue: Issue) => issue.code === 'wrong-pattern' && unknown.has(placeOf(issue))
    const shown = all.filter((issue) => !isEcho(issue) && !isToo(issue) && !(isWrong && follows(issue)))
    const inOrder = shown.sort((a, b) =>
      a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column || (a.code < b.code ? -1 : 1),
    )
    return withoutDoubt(mergeAlike(inOrder, (issue) => (this.familiesOf.get(issue) ?? []).map(({ name }) => name)))
  }

  private tree(file: SourceFile): Node | undefined {
    if (!this.trees.has(file)) this.trees.set(file, treeOf(file.text))
    return this.trees.get(file)
  }
}

const isNamedBadly = (code: IssueCode, suggestion: string | undefined): boolean =>
  (code === 'unknown-field' || code === 'unknown-name') &&
  suggestion !== undefined &&
  !/^-?[a-z]\w*(\(\))?$/.test(suggestion)

/** If there are several families, the one that the value or its place names comes first. */
function meantFirst(families: readonly SourceFile[], pointer: string, made: unknown): readonly SourceFile[] {
  const isMeant = ({ name }: SourceFile) => pointer.includes(name) || (typeof made === 'string' && made.includes(name))
  return [...families.filter(isMeant), ...families.filter((family) => !isMeant(family))]
}
