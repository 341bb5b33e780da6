import { isAlone, nearestName } from '../../expression/index.ts'
import { warningCatalogue } from '../warnings/catalogue.ts'

/**
 * Everything that can be wrong in a schema file. A message says what was found, then what was probably meant or what is
 * allowed, and which file to look at; `{…}` are the parameters that the phase gives.
 */
export const catalogue = {
  // read
  syntax: '{message}.',
  'duplicate-key': 'Duplicate key "{found}": the second would silently replace the first.',
  'unknown-file': '{what}',
  'missing-app': 'There is no app.json: it gives the title, the languages, the home route and the areas.',
  'unknown-area': '{what}.',
  'duplicate-name': 'There is another {kind} named "{found}".',
  'invalid-name': '"{found}" cannot be a name: {reason}.',
  // check
  'unknown-key': '{what}.',
  'missing-key': 'The key "{found}" is missing.',
  'wrong-type': '{wanted}, not {found}.',
  'not-allowed-value': '"{found}" is not allowed here.',
  'unknown-widget': 'There is no field type "{found}".',
  'too-short': 'At least {limit} needed here.',
  'too-long': 'At most {limit} allowed here.',
  'out-of-range': '{found} is out of range: it must be {comparison} {limit}.',
  'wrong-pattern': '"{found}" is malformed: it is written {pattern}.',
  'missing-language': 'The text lacks the language "{found}" of app.json.',
  'unused-language':
    'No other file has a text in the language "{found}": translate the texts, run "check --fix" to fill them in with a mark, or remove the language.',
  'unknown-language': '"{found}" is not a language of app.json.',
  'empty-label': 'The text in "{language}" is empty.',
  // families
  'unknown-template': 'There is no template "{found}".',
  'template-fault': '{message}.',
  'family-rule': '{message}.',
  'unknown-directory': 'The area {area} of app.json has no directory "{found}".',
  'unknown-generated-file': 'The family does not generate a file "{found}".',
  // link: names
  'unknown-entity': 'There is no entity "{found}".',
  'unknown-field': '{entity} has no field "{found}".',
  'foreign-fields': '{entity} does not have the fields that this file names, but "{suggestion}" has them all.',
  'dotted-field':
    '{found} is a field of {target}, which {reference} points at. To use it here, add a field {of}with "computed": { "from": "{found}" }.',
  'unknown-dictionary': 'There is no dictionary "{found}".',
  'unknown-screen': 'There is no screen "{found}"{missing}.',
  'unknown-route': 'No screen has the route "{found}".',
  'unknown-parameter': 'The screen {screen} takes no parameter "{found}".',
  'missing-parameter': 'The screen {screen} needs the parameter "{found}".',
  'unknown-permission': 'Nothing declares the permission "{found}"; a new one gets its name under "permissionLabels".',
  'unlabelled-permission': 'The permission "{found}" has no label: add one under "permissionLabels", "{word}".',
  'unknown-procedure': 'There is no procedure "{found}".',
  'procedure-entity': '{who} records of "{found}", which no file declares.',
  'procedure-field': '{who} {entity}.{found}, {which}.',
  'engine-entity': 'The engine reads records of "{found}" (with {fields}), which no file declares.',
  'engine-field': 'The engine reads {entity}.{found}, which no file declares.',
  'engine-type': 'The engine reads {entity}.{found} as {wanted}, but the values of the type "{type}" are {is}.',
  'unknown-state': '{dictionary} has no value "{found}".',
  'unknown-action': '{entity} has no action "{found}"{why}.',
  'unknown-transition': '{entity} has no transition "{found}".',
  'unknown-message-type': 'There is no type of message "{found}".',
  'unknown-role': 'No role that comes with the files has the code "{found}".',
  'unknown-choice': '{dictionary} has no value "{found}".',
  'unknown-endpoint': 'No entity serves "{found}", and no back end of app.json does.',
  'word-forms': '"{found}" has to name two words, for one and for more: "{n|line|lines}".',
  'stray-brace': '"{found}" would be shown literally: a placeholder is written "{suggestion}".',
  'unknown-placeholder': 'Nothing fills in "{found}" here: it would be shown literally.',
  'missing-entity': 'A {kind} shows records: the key "entity" must say which.',
  // link: expressions
  'expression-syntax': '{message}.',
  'unknown-name': '{message}',
  'expression-type': '{message}.',
  'forbidden-function': '{message}.',
  // link: what names lead to
  'duplicate-route': '{other} already has the route "{found}".',
  'duplicate-endpoint': '{other} already has the endpoint "{found}".',
  'duplicate-action': '{entity} already has {what} "{found}".',
  'duplicate-item': '"{found}" is listed twice under "{list}".',
  'repeated-item': 'An identical item is already in the list.',
  'parent-cycle': 'The screen is its own parent: {path}.',
  'invalid-pattern': '"{found}" is not a regular expression: {reason}.',
  'missing-from-menu':
    'The menu cannot open {screen}: it passes no parameters, and "{found}" is required. Remove "menu", or set "required": false.',
  'missing-route': 'A screen {what} needs a route.',
  'computed-cycle': 'The value is computed from itself: {path}.',
  'not-a-reference': '{entity}.{found} is not a reference to {target}.',
  'not-a-choice': '{entity}.{found} has no dictionary, so it cannot be a state.',
  'not-single': '{entity} has many records: settings are the one record of an entity with "single": true.',
  'missing-rows': '{parent} has no rows field for {entity}.',
  'missing-row-of': 'The records of {found} are saved as rows here: its file must say "rowOf": "{entity}".',
  'not-stored': '{entity}.{found} is computed on reading: the server cannot {operation}{why}.',
  'not-sortable': 'Records cannot be sorted by {entity}.{found}.',
  'no-tree-filter': '{found} is not a tree filter of this list.',
  'not-summable': '{entity}.{found} cannot be summed: only numbers and amounts add up.',
  'not-an-order': '{entity}.{found} cannot order siblings: it must be an integer.',
  'not-a-counter': '{entity}.{found} cannot count readers: it must be an integer with "readOnly": true.',
  'sensitive-in-message': '{entity}.{found} is sensitive: not everyone who receives the message is allowed to see it.',
  'unmasked-copy':
    '{found} takes its value from {from}, which is sensitive: it must be "sensitive" too, or say under "unmasked" why everybody may see it.',
  'unknown-operator': '{entity}.{found} cannot be filtered with "{operator}".',
  'invalid-value': '{entity}.{field} does not accept {found}: {message}.',
  'unknown-record': 'No record of {entity} in the files has the {key} "{found}".',
  'duplicate-record': 'Two records have the {key} "{found}".',
  // reports and boards
  'not-into': '{found} does not write records of {entity}.',
  'not-one': 'Give exactly one of {keys} here.',
  'not-groupable': '{entity}.{found} cannot be grouped by {what}.',
  'sensitive-in-report': '{entity}.{found} is sensitive: a report would show it to users who may not see it.',
  'no-month-before': '"{found}" compares each month with the previous one, but this report has no grouping by month.',
  'unknown-measure': 'There is no measure "{found}" here.',
  'unknown-group': 'The report has no grouping "{found}".',
  // screens
  'variant-parameter': '{what}',
  'missing-screen': '{what}.',
  'not-a-list': '{found} is a {kind}: only a list shows the records that belong to this one.',
  'unlisted-filter':
    '{screen} has neither a filter "{found}" nor a tab with exactly this filter, so it would show all records.',
  'unlisted-screen': '{found} is not in the menu: it needs a "route" and a "menu".',
  'missing-field':
    'Nobody can add a record here: {entity}.{found} is required, but the form does not prompt for it, and nothing else fills it in.',
  'unlisted-action': 'The list has no action "{found}" for its rows.',
  'uneven-row': 'Fields in this row: {found}; columns in the table: {limit}.',
  'no-sheet': 'A spreadsheet cannot hold {entity}.{found}.',
  'no-files': '{entity}.{found} is not a file field.',
  'unequal-fields':
    '{entity}.{found} and {field} can never be equal: their types differ, or they refer to different entities.',
  'not-a-tree':
    '"below" needs a reference to one record of a tree: {entity} is not a tree, or {found} does not refer to a single record of it.',
  'lookup-type':
    'A look-up must have the type, choices and target of its source: {entity}.{found} has the type "{type}".',
  'unequal-units':
    '{found} is in {unit}, but {field} is in {other}: multiply it by a rate, or give {field} the same unit.',
  'policy-type': '{policy} must be {wanted}, but {entity}.{field} has the type "{type}".',
  'unlisted-column': 'The import has no column "{found}".',
  'not-permitted': '{entity} never allows "{found}".',
  'not-editable': '{entity}.{found} cannot be edited in a cell: {reason}.',
} as const satisfies Record<string, string>

const sentences = { ...catalogue, ...warningCatalogue }

export type IssueCode = keyof typeof sentences

type Filled<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Filled<Rest>
  : never
/** How a sentence may end. */
type Ending = 'why' | 'missing' | 'of'
type ParametersOf<Name extends string> = { [Given in Exclude<Name, Ending>]: unknown } & {
  [Given in Extract<Name, Ending>]?: unknown
} & Pick<Parameters, 'allowed' | 'suggestion' | 'certain' | 'see'>
type AllIssues = { [Code in IssueCode]: ParametersOf<Filled<(typeof sentences)[Code]>> }

declare module '../../model/screenKind.ts' {
  interface IssueTypes extends AllIssues {}
}

export interface Issue {
  code: string
  /** The file name as given to the compiler. */
  file: string
  /** From 1. */
  line: number
  column: number
  /** Characters to underline; 0 if there is no text to point at. */
  length: number
  message: string
  /** The word that was probably meant. */
  suggestion?: string
  /** Present if there is only one right answer: the edits that apply it. */
  fix?: Fix
  /** The quoted line. */
  excerpt: string
  /** Only for warnings: the place under which the file may give a reason, as `states.transitions.pay`. */
  place?: string
}

export interface Parameters {
  found?: unknown
  /** The allowed names, for the message and for the suggestion. */
  allowed?: readonly string[]
  suggestion?: string
  /** What the suggestion replaces, if `found` is only a part of it: the `-number` of a sort order. */
  written?: string
  /** Nothing else can have been meant; `renamed`: the current name of `found`. */
  certain?: 'alone' | 'renamed'
  /** The file that would have to declare it. */
  see?: string
  [parameter: string]: unknown
}

const mostListed = 15

/** `found`, the allowed names, and the nearest of them. */
export const offer = (found: string, allowed: readonly string[]): Parameters => ({
  found,
  allowed,
  ...meant(found, allowed),
})

/** What was probably meant by an unknown name, and whether it is the only candidate. */
export function meant(found: string, names: Iterable<string>): Pick<Parameters, 'suggestion' | 'certain'> {
  const suggestion = nearestName(found, names)
  const isCertain = suggestion !== undefined && isAlone(found, names) && mayReplace(found, suggestion)
  return { suggestion, ...(isCertain && { certain: 'alone' as const }) }
}

/** A similar number is another number, and a path with another entity's name is another page. */
function mayReplace(found: string, suggestion: string): boolean {
  if (/^[\d.,-]+$/.test(suggestion)) return false
  const [parts, others] = [found, suggestion].map((text) => text.split(/[/.:]/))
  return parts.length === others.length && parts.every((part, at) => nearestName(part, [others[at]]) !== undefined)
}

/** An unknown field: either renamed or misspelt. */
export function offerField(
  found: string,
  fields: Readonly<Record<string, { value: Readonly<Record<string, unknown>> }>>,
): Parameters {
  const [renamed, ...others] = Object.keys(fields).filter((name) => fields[name].value.was === found)
  if (renamed !== undefined && !others.length) return { found, suggestion: renamed, certain: 'renamed' }
  const turned = Object.keys(fields).find((name) => sortedWords(name) === sortedWords(found))
  return turned === undefined ? offer(found, Object.keys(fields)) : { found, suggestion: turned }
}

const sortedWords = (name: string) =>
  name
    .split(/(?=[A-Z])/)
    .map((word) => word.toLowerCase())
    .sort()
    .join()

/** The message of an issue, with what was probably meant or what is allowed. */
export function sentence(code: IssueCode, parameters: Parameters): string {
  const text = sentences[code].replace(/\{(\w+)\}/g, (_, name: string) => written(parameters[name]))
  const { suggestion, allowed, see, certain } = parameters
  const listed = `${allowed?.slice(0, mostListed).join(', ')}${(allowed?.length ?? 0) > mostListed ? ', …' : ''}`
  const hint =
    suggestion && certain === 'renamed'
      ? ` It is called "${suggestion}" now.`
      : suggestion && !text.includes(`"${suggestion}"`) && !text.endsWith(` ${suggestion}.`)
        ? ` Did you mean "${suggestion}"?`
        : !suggestion && allowed?.length
          ? ` Allowed: ${listed}.`
          : ''
  return `${text}${hint}${see ? ` (${see})` : ''}`
}

const written = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const lineWidth = 140

/** As an analyst reads it: place and code, the quoted line, carets under the faulty text, the message. */
export function printIssue(issue: Issue): string {
  const isWarning = issue.place !== undefined
  const mayBeMeant = isWarning && !withoutReason.includes(issue.code)
  const head = `${issue.file}:${issue.line}:${issue.column}  ${isWarning ? 'warning  ' : ''}${issue.code}`
  const message = mayBeMeant ? `${issue.message}\n  ${reasonFor(issue)}` : issue.message
  if (!issue.length) return `${head}\n  ${message}`
  const start = Math.max(0, Math.min(issue.column - 1 - lineWidth / 2, issue.excerpt.length - lineWidth))
  const line = issue.excerpt.slice(start, start + lineWidth)
  const quoted = `${start > 0 ? '…' : ''}${line}${start + lineWidth < issue.excerpt.length ? '…' : ''}`
  const before = `${start > 0 ? '…' : ''}${line.slice(0, issue.column - 1 - start)}`
  const under = line.slice(issue.column - 1 - start, issue.column - 1 - start + issue.length)
  const number = String(issue.line)
  return [
    head,
    `  ${number} | ${quoted}`,
    `  ${' '.repeat(number.length)} | ${blank(before)}${'^'.repeat(Math.max(1, width(under)))}`,
    `  ${message}`,
  ].join('\n')
}

/** Warnings about reasons, or about files that cannot have any. */
const withoutReason: readonly string[] = ['idle-reason', 'replaced-value'] satisfies IssueCode[]

/** How to mark the warning as intended. */
const reasonFor = ({ code, place }: Issue) => `If it is meant: "meant": { "${code}": { "${place}": "why" } }`

/** Chinese takes two columns in a terminal. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/
const width = (text: string) => [...text].reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0)
const blank = (text: string) => text.replace(/[^\t]/gu, (character) => (wide.test(character) ? '　' : ' '))

/** Replaces `length` characters from `offset` with `content`. */
export interface TextEdit {
  offset: number
  length: number
  content: string
}

/** The one right answer to an issue, as edits of its file; `what` summarises it: `"nmae" → "name"`. */
export interface Fix {
  what: string
  edits: TextEdit[]
}
