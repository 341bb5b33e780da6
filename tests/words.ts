/**
 * What the lint of words finds in a source file: the words that it defines, those that it uses, and texts that are not
 * in both languages.
 */
import path from 'node:path'
import ts from 'typescript'
import { namesIn } from '../engine/model/fillText.ts'

export interface WordSet {
  file: string
  keys: string[]
  /** The names by which other code reaches the set: the hook, the object. */
  names: string[]
}
export type Source = ts.SourceFile

export const readSource = (name: string, text: string): Source =>
  ts.createSourceFile(
    name,
    text,
    ts.ScriptTarget.Latest,
    true,
    name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )

function all<N extends ts.Node>(from: ts.Node, is: (node: ts.Node) => node is N): N[] {
  const found: N[] = []
  const visit = (node: ts.Node) => {
    if (is(node)) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(from)
  return found
}

const textOf = (node: ts.Node | undefined): string | undefined =>
  node && ts.isStringLiteralLike(node) ? node.text : undefined
const nameOf = (name: ts.PropertyName): string | undefined =>
  ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined
const members = (node: ts.ObjectLiteralExpression) => node.properties.filter(ts.isPropertyAssignment)
const member = (node: ts.ObjectLiteralExpression, name: string) =>
  members(node).find((each) => nameOf(each.name) === name)?.initializer
const isLabel = (node: ts.Node | undefined) =>
  node !== undefined && ts.isObjectLiteralExpression(node) && member(node, 'cn') !== undefined

/** The words of a file that is named for them or defines some; undefined for any other file. */
export function wordsOf(source: Source): WordSet | undefined {
  if (!/\bwords\.ts$|Words\.ts$/.test(source.fileName) && !/\bdefineWords\(\{/.test(source.text)) return undefined
  const object = all(source, ts.isObjectLiteralExpression).find(
    (each) => each.properties.length > 1 && members(each).every(({ initializer }) => isLabel(initializer)),
  )
  if (!object) return undefined
  const declared = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ modifiers, declarationList }) =>
      declarationList.declarations.filter(
        ({ initializer }) =>
          modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ||
          /^defineWords\(|\.use$/.test(initializer?.getText() ?? ''),
      ),
    )
  return {
    file: source.fileName,
    keys: members(object).map(({ name }) => nameOf(name)!),
    names: declared.map(({ name }) => name.getText()),
  }
}

/** The set that a name in this file comes from, or undefined. */
function setOf(source: Source, name: string, sets: WordSet[]): WordSet | undefined {
  for (const { importClause, moduleSpecifier } of source.statements.filter(ts.isImportDeclaration)) {
    const bindings = importClause?.namedBindings
    const element =
      bindings && ts.isNamedImports(bindings) ? bindings.elements.find((each) => each.name.text === name) : undefined
    if (!element) continue
    const imported = (element.propertyName ?? element.name).text
    const from = path.posix.join(path.posix.dirname(source.fileName), (moduleSpecifier as ts.StringLiteral).text)
    // An import through a re-export is matched by name, because hooks are named after their words.
    return (
      sets.find(({ file }) => file === from) ??
      sets.find(({ names }) => imported.startsWith('use') && names.includes(imported))
    )
  }
  const own = sets.find(({ file }) => file === source.fileName)
  return own?.names.includes(name) ? own : undefined
}

/** The words that a function of this name translates here; 'any' if only its type shows that it translates some. */
function spokenBy(name: ts.Identifier, source: Source, sets: WordSet[]): WordSet | 'any' | undefined {
  for (let scope: ts.Node = name; scope; scope = scope.parent) {
    if (ts.isFunctionLike(scope)) {
      const parameter = scope.parameters.find((each) => each.name.getText() === name.text)
      if (parameter) return /Words|Translate/.test(parameter.type?.getText() ?? '') ? 'any' : undefined
    }
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue
    const declared = scope.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .find((each) => each.name.getText() === name.text)?.initializer
    if (declared) return translator(declared, source, sets)
  }
  // Imported from beside the words: `text('signIn')`
  const set = setOf(source, name.text, sets)
  return set?.names.includes(name.text) ? set : undefined
}

function translator(made: ts.Expression, source: Source, sets: WordSet[]): WordSet | undefined {
  // `useWords()`, `words.translate('cn')`
  if (ts.isCallExpression(made)) {
    const { expression } = made
    const callee =
      ts.isPropertyAccessExpression(expression) && expression.name.text === 'translate'
        ? expression.expression
        : expression
    return ts.isIdentifier(callee) ? setOf(source, callee.text, sets) : undefined
  }
  // `(key: keyof typeof words) => words[key][language]`
  const from = ts.isArrowFunction(made)
    ? /^keyof typeof (\w+)$/.exec(made.parameters[0]?.type?.getText() ?? '')?.[1]
    : undefined
  return from === undefined ? undefined : setOf(source, from, sets)
}

interface WordUse {
  set: WordSet | 'any'
  keys: string[]
  beginnings: string[]
}

/** All uses of words. If a call names no word, all texts of the file and of its imports count as possible words. */
function wordUsesIn(source: Source, sets: WordSet[], sources: Source[] = []): WordUse[] {
  const calls = all(source, ts.isCallExpression).flatMap(({ expression, arguments: [first] }): WordUse[] => {
    const set = first && ts.isIdentifier(expression) ? spokenBy(expression, source, sets) : undefined
    if (!set) return []
    // A text that is only compared with is not used.
    const keys = all(first, ts.isStringLiteralLike).filter(
      ({ parent }) =>
        !ts.isBinaryExpression(parent) || parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken,
    )
    const beginnings = all(first, ts.isTemplateExpression).map(({ head }) => head.text)
    return [{ set, keys: keys.map(({ text }) => text), beginnings }]
  })
  const loose = calls.filter(({ keys, beginnings }) => keys.length + beginnings.length === 0)
  const taken = source.statements
    .filter(ts.isImportDeclaration)
    .map(({ moduleSpecifier }) =>
      path.posix.join(path.posix.dirname(source.fileName), (moduleSpecifier as ts.StringLiteral).text),
    )
  const near = loose.length > 0 ? [source, ...sources.filter(({ fileName }) => taken.includes(fileName))] : []
  const texts = near.flatMap((each) => all(each, ts.isStringLiteralLike)).map(({ text }) => text)
  const members = all(source, ts.isPropertyAccessExpression).flatMap(({ expression, name }): WordUse[] => {
    const set = ts.isIdentifier(expression) ? setOf(source, expression.text, sets) : undefined
    return set?.keys.includes(name.text) ? [{ set, keys: [name.text], beginnings: [] }] : []
  })
  const chosen = loose.map(({ set }) => ({
    set,
    keys: texts.filter((text) => set === 'any' || set.keys.includes(text)),
    beginnings: [],
  }))
  return [...calls, ...members, ...chosen]
}

/** All uses of words in these files. */
export const allWordUses = (sources: Source[], sets: WordSet[]): WordUse[] =>
  sources.flatMap((source) => wordUsesIn(source, sets, sources))

/** The keys that are not among all uses. */
export function unused(set: WordSet, everything: WordUse[]): string[] {
  const ownUses = everything.filter((each) => each.set === 'any' || each.set.file === set.file)
  const isUsed = (key: string) =>
    ownUses.some(
      ({ keys, beginnings }) => keys.includes(key) || beginnings.some((beginning) => key.startsWith(beginning)),
    )
  return set.keys.filter((key) => !isUsed(key))
}

/** The words that a source uses but that its sets do not define. */
export function missing(source: Source, sets: WordSet[]): string[] {
  const lacking = wordUsesIn(source, sets).flatMap(({ set, keys, beginnings }) =>
    set === 'any'
      ? []
      : [
          ...keys.filter((key) => !set.keys.includes(key)),
          ...beginnings
            .filter((beginning) => !set.keys.some((key) => key.startsWith(beginning)))
            .map((beginning) => `${beginning}…`),
        ],
  )
  return lacking.map((key) => `${source.fileName}: ${key}`)
}

/** All labels with a plain text in both languages. */
export const labelsIn = (source: Source): { at: string; cn: string; en: string }[] =>
  all(source, ts.isObjectLiteralExpression).flatMap((each) => {
    const [cn, en] = [plainText(member(each, 'cn')), plainText(member(each, 'en'))]
    return cn !== undefined && en !== undefined ? [{ at: source.fileName, cn, en }] : []
  })

/** The text of a literal, with `…` for what a template puts in. */
function plainText(node: ts.Node | undefined): string | undefined {
  if (!node || !ts.isTemplateExpression(node)) return textOf(node)
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
}

const parametersIn = (text: string) => [...new Set(namesIn(text))].sort().join()

/** The places of texts in one language, empty texts, and texts whose parameters differ. */
export function untranslated(source: Source): string[] {
  return all(source, ts.isObjectLiteralExpression)
    .filter((each) => {
      const [cn, en] = [member(each, 'cn'), member(each, 'en')]
      if (!cn && !en) return false
      if (!cn || !en) return !each.properties.some((other) => !ts.isPropertyAssignment(other))
      const [first, second] = [textOf(cn), textOf(en)]
      if (first === undefined || second === undefined) return first === '' || second === ''
      // The description of a file's key is for authors of files, with examples in their own language.
      const isAbout = ts.isPropertyAssignment(each.parent) && nameOf(each.parent.name) === 'about'
      return first === '' || second === '' || (!isAbout && parametersIn(first) !== parametersIn(second))
    })
    .map(
      (each) =>
        `${source.fileName}:${source.getLineAndCharacterOfPosition(each.getStart()).line + 1}: ${each.getText().slice(0, 80)}`,
    )
}
