import { parseTree, type Node } from 'jsonc-parser'
import type { Lists } from '../engine/schema/compile.ts'
import { fileShapes } from '../engine/schema/language/fileShapes.ts'
import type { Issue } from '../engine/schema/issues/issue.ts'
import { findNode, positionOf } from '../engine/schema/reading/place.ts'
import { segments } from '../engine/model/pointer.ts'
import { isObject, walk, type Place } from '../engine/schema/walk.ts'
import type { SourceText } from '../engine/schema/reading/SourceFile.ts'

/** One slip in one file. */
export interface Mutation {
  kind: string
  path: string
  text: string
  /** The line of the edit. */
  line: number
  /**
   * Other lines on which a slip of this kind may be reported: that of the bracket's partner, or where the next thing
   * begins.
   */
  near: number[]
  /** Names that the slip removed, added or duplicated; an issue that contains one counts as reporting the slip. */
  names: string[]
}

/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

interface File {
  path: string
  text: string
  name: string
  kind: string
  tree: Node
  places: Place[]
}
type Edit = { offset: number; length: number; content: string; near?: number[]; names?: string[] }
type Operator = (files: File[], file: File, pick: <T>(items: readonly T[]) => T | undefined) => Edit | undefined

/** Roles whose names refer to something declared elsewhere. */
const referring = [
  'entity',
  'field',
  'ownField',
  'entityField',
  'dictionary',
  'screen',
  'procedure',
  'state',
  'transition',
  'role',
  'messageType',
  'lookup',
]
const expressions = ['condition', 'formula']
const nodeOf = ({ tree }: File, pointer: string) => findNode(tree, segments(pointer))
const lineAt = ({ text }: File, offset: number) => positionOf(text, offset).line
const textsOf = (file: File, roles: string[]) =>
  file.places.flatMap(({ value, shape: { names }, pointer }) => {
    const node = typeof value === 'string' && names && roles.includes(names) ? nodeOf(file, pointer) : undefined
    return node ? [{ node, value: String(value) }] : []
  })
const inside = (node: Node, value: string): Edit => ({
  offset: node.offset + 1,
  length: node.length - 2,
  content: value,
})

/** Inserts letters somewhere inside, which no name contains. */
const slip = (name: string, pick: <T>(items: readonly T[]) => T | undefined) => {
  const at = pick([...name].map((_, index) => index).filter((index) => /\w/.test(name[index]))) ?? 0
  return `${name.slice(0, at)}qz${name.slice(at)}`
}

/** The brackets of a text outside its strings, each with its partner. */
function brackets(text: string): { offset: number; partner: number }[] {
  const found: { offset: number; partner: number }[] = []
  const open: { offset: number; partner: number }[] = []
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token.startsWith('"')) continue
    const bracket = { offset: index, partner: index }
    found.push(bracket)
    if (token === '{' || token === '[') open.push(bracket)
    else {
      const opening = open.pop()!
      Object.assign(bracket, { partner: opening.offset })
      opening.partner = index
    }
  }
  return found
}
const outside = (text: string, character: string) =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"|,/g)].filter(([token]) => token === character).map(({ index }) => index)

const operators: Record<string, Operator> = {
  'a bracket dropped': (_, file, pick) => {
    const bracket = pick(brackets(file.text))
    return bracket && { offset: bracket.offset, length: 1, content: '', near: [lineAt(file, bracket.partner)] }
  },
  'a quote dropped': (_, { text }, pick) => {
    const offset = pick([...text.matchAll(/(?<!\\)"/g)].map(({ index }) => index))
    return offset === undefined ? undefined : { offset, length: 1, content: '' }
  },
  'a comma dropped': (_, { text }, pick) => {
    const offset = pick(outside(text, ','))
    return offset === undefined ? undefined : { offset, length: 1, content: '' }
  },
  'a required key dropped': (_, file, pick) => {
    const wanted = file.places.flatMap(({ value, shape, pointer }) =>
      isObject(value) ? (shape.required ?? []).filter((key) => key in value).map((key) => ({ pointer, key })) : [],
    )
    const chosen = pick(wanted)
    const property = chosen && nodeOf(file, `${chosen.pointer}/${chosen.key}`)?.parent
    return property && { ...without(property), names: [chosen.key] }
  },
  'a field dropped that a list shows': (files, file, pick) => {
    const shown = files
      .filter(({ kind, tree }) => kind === 'list' && textUnder(tree, 'entity') === file.name)
      .flatMap((list) =>
        list.places
          .filter(({ pointer, shape }) => pointer.startsWith('/columns/') && shape.names === 'field')
          .map(({ value }) => String(value)),
      )
    const name = file.kind === 'entity' ? pick(shown.filter((each) => nodeOf(file, `/fields/${each}`))) : undefined
    return name === undefined ? undefined : { ...without(nodeOf(file, `/fields/${name}`)!.parent!), names: [name] }
  },
  'a name misspelt': (_, file, pick) => {
    const chosen = pick(textsOf(file, referring))
    return chosen && inside(chosen.node, slip(chosen.value, pick))
  },
  'a key misspelt': (_, file, pick) => {
    const keys = file.places.flatMap(({ value, shape, pointer }) =>
      isObject(value) && (shape.properties || shape.keys === 'field')
        ? Object.keys(value).map((key) => ({ pointer, key }))
        : [],
    )
    const chosen = pick(keys)
    const key = chosen && nodeOf(file, `${chosen.pointer}/${chosen.key}`)?.parent?.children?.[0]
    return key && { ...inside(key, slip(chosen.key, pick)), names: [chosen.key] }
  },
  'a type changed': (_, file, pick) => {
    const chosen = pick(file.places.filter(({ pointer, shape }) => pointer !== '' && (shape.type ?? shape.anyOf)))
    const node = chosen && nodeOf(file, chosen.pointer)
    return (
      node && {
        offset: node.offset,
        length: node.length,
        content: node.type === 'string' || node.type === 'object' || node.type === 'array' ? '7' : '{}',
      }
    )
  },
  'an expression broken': (_, file, pick) => {
    const chosen = pick(textsOf(file, expressions))
    if (!chosen) return undefined
    const { value, node } = chosen
    const broken = pick(
      [`${value} ==`, `(${value}`, `${value} + nothing`, misnamed(value), value.replace(/==/, '=')].filter(
        (text) => text !== value,
      ),
    )!
    return inside(node, JSON.stringify(broken).slice(1, -1))
  },
  'a route twice': (files, file, pick) => {
    const own = findNode(file.tree, ['route'])
    // A route with parameters of a template becomes a different route in another template.
    const others = files
      .filter((other) => other !== file)
      .flatMap(({ tree }) => textUnder(tree, 'route') ?? [])
      .filter((route) => !route.includes('${'))
    const other = own && pick(others)
    return own && other !== undefined ? { ...inside(own, other), names: [other, String(own.value)] } : undefined
  },
  'a name of nothing': (_, file, pick) => {
    const chosen = pick(textsOf(file, [...referring, 'link']))
    return chosen && inside(chosen.node, chosen.value.startsWith('/') ? '/no/such/screen' : 'noSuchThing')
  },
}

/** Changes the first name of an expression; quoted texts are values, and dictionaries may be extended at run time. */
const misnamed = (expression: string) => {
  const name = [...expression.matchAll(/'[^']*'|"[^"]*"|\b[A-Za-z]\w*\b(?!\()/g)].find(
    ([token]) => !/^['"]|^(in|true|false|null)$/.test(token),
  )
  return name
    ? `${expression.slice(0, name.index)}${name[0]}qz${expression.slice(name.index + name[0].length)}`
    : expression
}

const textUnder = (tree: Node, key: string) => findNode(tree, [key])?.value as string | undefined

/** A property with the comma beside it. */
function without(property: Node): Edit {
  const all = property.parent!.children!
  const index = all.indexOf(property)
  const end = property.offset + property.length
  if (index < all.length - 1)
    return { offset: property.offset, length: all[index + 1].offset - property.offset, content: '' }
  const start = index ? all[index - 1].offset + all[index - 1].length : property.offset
  return { offset: start, length: end - start, content: '' }
}

/** Makes `count` mutations of these files, the same for the same seed, with each kind equally often. */
export function mutationsOf(sources: readonly SourceText[], lists: Lists, seed: number, count: number): Mutation[] {
  const random = randomOf(seed)
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)]
  const shapes = fileShapes(lists.widgets, lists.kinds)
  const files = sources.map(({ path, text }): File => {
    const [name, kind] = path.endsWith('/app.json') ? ['app', 'app'] : path.split('/').at(-1)!.split('.')
    const places: Place[] = []
    walk(JSON.parse(text), shapes[kind], (place) => places.push(place))
    return { path, text, name, kind, tree: parseTree(text)!, places }
  })
  const kinds = Object.keys(operators)
  const made: Mutation[] = []
  while (made.length < count) {
    const kind = kinds[made.length % kinds.length]
    const file = pick(files)!
    const edit = operators[kind](files, file, pick)
    if (!edit) continue
    const { offset, length, content, near = [], names = [] } = edit
    const text = file.text.slice(0, offset) + content + file.text.slice(offset + length)
    if (text === file.text) continue
    const next = offset + content.length + /^\s*/.exec(text.slice(offset + content.length))![0].length
    made.push({
      kind,
      path: file.path,
      text,
      line: positionOf(text, offset).line,
      near: [...near, positionOf(text, next).line],
      names,
    })
  }
  return made
}

/**
 * How precisely a mutation is reported. `line`: on the changed line. `honest`: at the bracket's partner, where the next
 * thing begins, or with a name that is missing or duplicated. `other`: only elsewhere. `nothing`: not at all.
 */
export function precisionOf(
  { path, line, near, names }: Mutation,
  issues: readonly Issue[],
): 'line' | 'honest' | 'other' | 'nothing' {
  if (!issues.length) return 'nothing'
  const own = issues.filter(({ file }) => file === path)
  // An issue in the result of a template is reported at the family, with the line of the template.
  const isPlaced = ({ message }: Issue) => message.includes(`(${path}:${line})`)
  if (own.some((issue) => issue.line === line) || issues.some(isPlaced)) return 'line'
  const isNamed = ({ message }: Issue) =>
    names.some((name) => message.includes(`"${name}"`) || message.includes(`.${name} `))
  return own.some((issue) => near.includes(issue.line)) || issues.some(isNamed) ? 'honest' : 'other'
}
