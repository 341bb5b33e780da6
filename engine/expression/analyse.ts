/**
 * One walk over the syntax tree gives both what the checker wants (types, faults, names used) and what evaluation wants
 * (plain closures, no code generation), so that the two cannot disagree.
 */
import type { ASTNode } from '@marcbachmann/cel-js'
import type { Label } from '../model/model.ts'
import { Decimal } from './decimal.ts'
import type { Environment } from './environment.ts'
import { ExpressionError, fault, unknown, type ExpressionFault, type Range } from './fault.ts'
import { accepts, forbidden, methods, type FunctionDeclaration } from './functions.ts'
import { macros } from './macros.ts'
import { bind, isMap, member, typeOfOperand, type Operand } from './operand.ts'
import { operators } from './operators.ts'
import type { ParsedExpression } from './parse.ts'
import { fits, isOpen, nameOf, notation, typeOf, unify, type Type, type VariableTypes } from './type.ts'

export interface Context<S> {
  scope: S
  now: string
  /** Operands that do not go together: an error instead of a missing value. */
  strict: boolean
  /** The items of the surrounding `exists`, `map`, … from the outermost in. */
  items: Operand[]
}
type Run<S> = (context: Context<S>) => Operand
interface Part<S> {
  type: Type
  run: Run<S>
}
export interface Use {
  name: string
  start: number
  end: number
}
export interface Analysis<S> extends Part<S> {
  faults: ExpressionFault[]
  uses: Use[]
}

const isMember = ({ op }: ASTNode) => op === 'id' || op === '.' || op === '[]'

type Node<Op extends ASTNode['op']> = Extract<ASTNode, { op: Op }>
type Binary = Node<'==' | '!=' | 'in' | '+' | '-' | '*' | '/' | '%' | '<' | '<=' | '>' | '>='>

export function analyse<S>({ text, root }: ParsedExpression, environment: Environment<S>): Analysis<S> {
  const faults: ExpressionFault[] = []
  const uses: Use[] = []
  const items: { name: string; type: Type }[] = []

  const missing: Part<S> = { type: 'any', run: () => null }
  const report = (fault: ExpressionFault) => {
    faults.push(fault)
    return missing
  }

  /** Undefined comes from operands of type `any` that do not go together. */
  function settle(value: Operand | undefined, context: Context<S>, fault: () => ExpressionFault): Operand {
    if (value !== undefined) return value
    if (context.strict) throw new ExpressionError(fault())
    return null
  }

  function walk(node: ASTNode): Part<S> {
    switch (node.op) {
      case 'value':
        return literal(node)
      case 'id':
        return name(node)
      case '.':
        return access(node)
      case '[]':
        return index(node)
      case 'call':
        return call(node)
      case 'rcall':
        return method(node)
      case 'list':
        return listLiteral(node)
      case 'map':
        return mapLiteral(node)
      case '?:':
        return choice(node)
      case '&&':
      case '||':
        return logic(node)
      case '!_':
        return not(node)
      case '-_':
        return negative(node)
      case '.?':
      case '[?]':
        return report(syntax(node, { cn: '不支持可选成员', en: 'Optional members are not supported' }))
      default:
        return binary(node)
    }
  }

  function literal(node: Node<'value'>): Part<S> {
    const value = node.args
    if (typeof value === 'string') return { type: 'string', run: () => value }
    if (typeof value === 'boolean') return { type: 'boolean', run: () => value }
    if (value === null) return { type: 'null', run: () => null }
    if (value instanceof Uint8Array)
      return report(syntax(node, { cn: '不支持字节串', en: 'Byte strings are not supported' }))
    // From its own text: the parser's binary double has already lost what 0.1 means.
    const decimal = new Decimal(text.slice(node.start, node.end).replace(/u$/i, ''))
    return { type: 'decimal', run: () => decimal }
  }

  function name(node: Node<'id'>): Part<S> {
    const word = node.args
    const depth = items.findLastIndex((item) => item.name === word)
    if (depth >= 0) return { type: items[depth].type, run: (context) => context.items[depth] }
    uses.push({ name: word, start: node.start, end: node.end })
    const variable = environment.resolve(word)
    if (!variable)
      return report(unknown('name', node, word, [...items.map((item) => item.name), ...environment.names()]))
    const { type, read } = variable
    return { type, run: (context) => bind(read(context.scope), type) }
  }

  function access(node: Node<'.'>): Part<S> {
    const [ownerNode, key] = node.args
    return read(owner(ownerNode, key), key, { start: node.end - key.length, end: node.end })
  }

  /**
   * What a member is read of. A use of `old` or of `settings` is a use of that member of it, and of the settings of the
   * member's member.
   */
  function owner(node: ASTNode, key: string): Part<S> {
    const part = walk(node)
    const last = uses.at(-1)
    const isWhole = (name: string) =>
      node.op === 'id' ? name === 'old' || name === 'settings' : /^settings\.\w+$/.test(name)
    if (last && last.start === node.start && isMember(node) && isWhole(last.name)) last.name += `.${key}`
    return part
  }

  function read({ type, run }: Part<S>, key: string, range: Range): Part<S> {
    const wrong = (found: Type) =>
      fault('wrong-type', range, notation(found), ['map'], {
        cn: `${nameOf(found).cn}没有成员“${key}”`,
        en: `A ${nameOf(found).en} has no member "${key}"`,
      })
    if (!isOpen(type) && !(typeof type === 'object' && 'keys' in type)) return report(wrong(type))
    const keys: VariableTypes | null = typeof type === 'object' ? type.keys : null
    if (keys && !Object.hasOwn(keys, key)) return report(unknown('name', range, key, Object.keys(keys)))
    return {
      type: keys ? typeOf(keys[key]) : 'any',
      run(context) {
        const map = run(context)
        if (map === null) return null
        return settle(isMap(map) ? member(map, key, keys) : undefined, context, () => wrong(typeOfOperand(map)))
      },
    }
  }

  function index(node: Node<'[]'>): Part<S> {
    const [ownerNode, keyNode] = node.args
    if (keyNode.op === 'value' && typeof keyNode.args === 'string') {
      const part = owner(ownerNode, keyNode.args)
      if (!(typeof part.type === 'object' && 'list' in part.type)) return read(part, keyNode.args, keyNode)
    }
    const [whole, key] = [walk(ownerNode), walk(keyNode)]
    const isList = typeof whole.type === 'object' && 'list' in whole.type
    const wrong = (found: Type) =>
      fault('wrong-type', keyNode, notation(found), [isList ? 'decimal' : 'string'], {
        cn: isList ? `列表的序号应为数值，实际为${nameOf(found).cn}` : `${nameOf(whole.type).cn}不能用[ ]取值`,
        en: isList
          ? `The index of a list is a number, not a ${nameOf(found).en}`
          : `[ ] cannot be used on a ${nameOf(whole.type).en}`,
      })
    const possible =
      isOpen(whole.type) || (typeof whole.type === 'object' && fits(key.type, isList ? 'decimal' : 'string'))
    if (!possible) return report(wrong(key.type))
    return {
      type: typeof whole.type === 'object' && 'list' in whole.type ? whole.type.list : 'any',
      run(context) {
        const [from, at] = [whole.run(context), key.run(context)]
        if (from === null || at === null) return null
        if (Array.isArray(from) && at instanceof Decimal) return at.isInteger() ? (from[at.toNumber()] ?? null) : null
        return settle(isMap(from) && typeof at === 'string' ? member(from, at, null) : undefined, context, () =>
          wrong(typeOfOperand(at)),
        )
      },
    }
  }

  function binary(node: Binary): Part<S> {
    const operator = operators[node.op]
    const [left, right] = [walk(node.args[0]), walk(node.args[1])]
    const wrong = (a: Type, b: Type) =>
      fault('wrong-type', node, `${notation(a)} ${node.op} ${notation(b)}`, operator.accepts, {
        cn: `“${node.op}”不能用于${nameOf(a).cn}与${nameOf(b).cn}`,
        en: `"${node.op}" cannot be used on ${nameOf(a).en} and ${nameOf(b).en}`,
      })
    const type = operator.type(left.type, right.type)
    if (!type) return report(wrong(left.type, right.type))
    const { apply, takesNull } = operator
    return {
      type,
      run(context) {
        const [a, b] = [left.run(context), right.run(context)]
        if (!takesNull && (a === null || b === null)) return null
        return settle(apply(a, b), context, () => wrong(typeOfOperand(a), typeOfOperand(b)))
      },
    }
  }

  /** A part that must be true or false, for the operator or function `user`. */
  function condition(node: ASTNode, user: string): Run<S> {
    const part = walk(node)
    const wrong = (found: Type) =>
      fault('wrong-type', node, notation(found), ['boolean'], {
        cn: `“${user}”需要是/否条件，实际为${nameOf(found).cn}`,
        en: `"${user}" needs a condition, not a ${nameOf(found).en}`,
      })
    if (!fits(part.type, 'boolean')) report(wrong(part.type))
    const { run } = part
    return (context) => {
      const value = run(context)
      return value === null || typeof value === 'boolean'
        ? value
        : settle(undefined, context, () => wrong(typeOfOperand(value)))
    }
  }

  /** What decides, decides, whatever the other side is; a missing side otherwise makes the whole missing. */
  function logic(node: Node<'&&' | '||'>): Part<S> {
    const decisive = node.op === '||'
    const [left, right] = [condition(node.args[0], node.op), condition(node.args[1], node.op)]
    return {
      type: 'boolean',
      run(context) {
        const a = left(context)
        if (a === decisive) return a
        const b = right(context)
        return b === decisive ? b : a === null ? a : b
      },
    }
  }

  function not(node: Node<'!_'>): Part<S> {
    const run = condition(node.args, '!')
    return {
      type: 'boolean',
      run(context) {
        const value = run(context)
        return value === null ? null : !value
      },
    }
  }

  function negative(node: Node<'-_'>): Part<S> {
    const { type, run } = walk(node.args)
    const wrong = (found: Type) =>
      fault('wrong-type', node, notation(found), ['decimal'], {
        cn: `“-”需要数值，实际为${nameOf(found).cn}`,
        en: `"-" needs a number, not a ${nameOf(found).en}`,
      })
    if (!fits(type, 'decimal')) return report(wrong(type))
    return {
      type: 'decimal',
      run(context) {
        const value = run(context)
        if (value === null) return null
        return settle(value instanceof Decimal ? value.negated() : undefined, context, () =>
          wrong(typeOfOperand(value)),
        )
      },
    }
  }

  function choice(node: Node<'?:'>): Part<S> {
    const test = condition(node.args[0], '? :')
    const [yes, no] = [walk(node.args[1]), walk(node.args[2])]
    const type = unify(yes.type, no.type)
    if (!type) return report(different(node, yes.type, no.type))
    return {
      type,
      run(context) {
        const value = test(context)
        return value === null ? null : value ? yes.run(context) : no.run(context)
      },
    }
  }

  function listLiteral(node: Node<'list'>): Part<S> {
    const parts = node.args.map(walk)
    let list: Type = parts.length ? 'null' : 'any'
    for (const [position, part] of parts.entries()) {
      const both = unify(list, part.type)
      if (both) list = both
      else report(different(node.args[position], list, part.type))
    }
    return { type: { list }, run: (context) => parts.map((part) => part.run(context)) }
  }

  function mapLiteral(node: Node<'map'>): Part<S> {
    const entries = node.args.map(([keyNode, value]) => {
      if (keyNode.op === 'value' && typeof keyNode.args === 'string') return { key: keyNode.args, value: walk(value) }
      report(syntax(keyNode, { cn: '对象的键应为文本', en: 'The key of a map is a text' }))
      return { key: '', value: missing }
    })
    return {
      type: { keys: null },
      run: (context) => Object.fromEntries(entries.map(({ key, value }) => [key, value.run(context)])),
    }
  }

  function call(node: Node<'call'>): Part<S> {
    const [word, argumentNodes] = node.args
    const range = { start: node.start, end: node.start + word.length }
    const allowed = Object.keys(environment.functions)
    if (!allowed.includes(word)) argumentNodes.forEach(walk)
    if (Object.hasOwn(forbidden, word))
      return report(fault('forbidden-function', range, word, allowed, forbidden[word]))
    if (!allowed.includes(word)) {
      const written =
        Object.hasOwn(methods, word) || Object.hasOwn(macros, word)
          ? (methods[word] ?? macros[word]).signature
          : undefined
      return report(unknown('function', range, word, allowed, written))
    }
    return apply(node, word, environment.functions[word], argumentNodes)
  }

  function method(node: Node<'rcall'>): Part<S> {
    const [word, receiver, argumentNodes] = node.args
    const start = text.indexOf(word, text.indexOf('.', receiver.end) + 1)
    const range = { start, end: start + word.length }
    if (Object.hasOwn(macros, word) && argumentNodes.length === 2) return macro(word, receiver, argumentNodes)
    if (!Object.hasOwn(methods, word)) walk(receiver)
    if (Object.hasOwn(forbidden, word))
      return report(fault('forbidden-function', range, word, Object.keys(methods), forbidden[word]))
    if (!Object.hasOwn(methods, word)) {
      const written = Object.hasOwn(environment.functions, word)
        ? environment.functions[word].signature
        : Object.hasOwn(macros, word)
          ? macros[word].signature
          : undefined
      return report(unknown('function', range, word, [...Object.keys(methods), ...Object.keys(macros)], written))
    }
    return apply(node, word, methods[word], [receiver, ...argumentNodes])
  }

  function apply(node: ASTNode, word: string, declaration: FunctionDeclaration, argumentNodes: ASTNode[]): Part<S> {
    const parts = argumentNodes.map(walk)
    const types = parts.map((part) => part.type)
    const { parameters, takesNull, signature, run } = declaration
    const wrong = (range: Range, found: Type[]) =>
      fault(
        'wrong-type',
        range,
        found.map(notation).join(', '),
        [signature],
        {
          cn: `${word} 的参数不正确，应为 ${signature}`,
          en: `The arguments of ${word} do not fit: ${signature}`,
        },
        signature,
      )
    if (parts.length !== parameters.length) return report(wrong(node, types))
    const misfit = parts.findIndex((part, position) => !accepts(parameters[position], part.type))
    if (misfit >= 0) return report(wrong(argumentNodes[misfit], [types[misfit]]))
    const type = declaration.result(types)
    if (!type) return report(wrong(node, types))
    return {
      type,
      run(context) {
        const values = parts.map((part) => part.run(context))
        if (!takesNull && values.includes(null)) return null
        const fit = values.every(
          (value, position) => value === null || accepts(parameters[position], typeOfOperand(value)),
        )
        return settle(fit ? run(values, context.now, context.scope) : undefined, context, () =>
          wrong(node, values.map(typeOfOperand)),
        )
      },
    }
  }

  function macro(word: string, receiver: ASTNode, [itemNode, bodyNode]: ASTNode[]): Part<S> {
    const { type, run } = walk(receiver)
    const wrong = (found: Type) =>
      fault('wrong-type', receiver, notation(found), ['list'], {
        cn: `“${word}”需要列表，实际为${nameOf(found).cn}`,
        en: `"${word}" needs a list, not a ${nameOf(found).en}`,
      })
    const isList = typeof type === 'object' && 'list' in type
    if (!isList && !isOpen(type)) report(wrong(type))
    const depth = items.push({ name: itemNode.op === 'id' ? itemNode.args : '', type: isList ? type.list : 'any' }) - 1
    const body: Part<S> = word === 'map' ? walk(bodyNode) : { type: 'boolean', run: condition(bodyNode, word) }
    items.pop()
    const { collect } = macros[word]
    return {
      type: word === 'map' ? { list: body.type } : word === 'filter' ? { list: isList ? type.list : 'any' } : 'boolean',
      run(context) {
        const list = run(context) ?? []
        if (!Array.isArray(list)) return settle(undefined, context, () => wrong(typeOfOperand(list)))
        return collect(list, (item) => {
          context.items[depth] = item
          return body.run(context)
        })
      },
    }
  }

  return { ...walk(root), faults, uses }
}

const syntax = (node: Range & { input?: string }, message: Label) =>
  fault('expression-syntax', node, node.input?.slice(node.start, node.end) ?? '', [], message)

const different = (range: Range, left: Type, right: Type) =>
  fault('wrong-type', range, notation(right), [notation(left)], {
    cn: `类型不一致：${nameOf(left).cn}与${nameOf(right).cn}`,
    en: `The types differ: ${nameOf(left).en} and ${nameOf(right).en}`,
  })
