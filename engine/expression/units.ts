import type { ASTNode } from '@marcbachmann/cel-js'
import { equalities, orders } from './literals.ts'
import { visitPaths, type PathOf } from './visitPaths.ts'

interface Units {
  /** The unit of the result; undefined if it is a plain number or unknown. */
  yields: string | undefined
  /** The parts that add up or compare values in different units. */
  mixed: { start: number; end: number; units: [string, string] }[]
}

/** @param unitOf path of a value → its unit; undefined if it has none */
export function unitsOf(text: string, unitOf: (path: string[]) => string | undefined): Units {
  const units: Units = { yields: undefined, mixed: [] }
  visitPaths(text, {
    visit() {},
    visitWhole(root, pathOf) {
      units.yields = unitAt(root, { pathOf, unitOf, mixed: units.mixed })
    },
  })
  return units
}

interface UnitLookup {
  pathOf: PathOf
  unitOf(path: string[]): string | undefined
  mixed: Units['mixed']
}

/** Functions that return one of their arguments, a part of it, or their sum. */
const keeping = new Set(['coalesce', 'min', 'max', 'round', 'floor', 'ceil', 'abs', 'sum', 'decimal'])
const adding = new Set(['+', '-'])

function unitAt(node: ASTNode, lookup: UnitLookup): string | undefined {
  const all = (parts: readonly ASTNode[]) => parts.map((part) => unitAt(part, lookup))
  const alike = (parts: readonly ASTNode[]) => joined(node, all(parts), lookup)
  switch (node.op) {
    case '?:':
      unitAt(node.args[0], lookup)
      return alike(node.args.slice(1))
    case 'list':
      // Its items need not add up.
      return same(all(node.args))
    case '*':
    case '/': {
      const [left, right] = node.args as [ASTNode, ASTNode]
      const [leftUnit, rightUnit] = all([left, right])
      if (right.op === 'value') return leftUnit
      return node.op === '*' && left.op === 'value' ? rightUnit : undefined
    }
    case 'call': {
      const [name, given] = node.args
      if (keeping.has(name)) return alike(given)
      all(given)
      return undefined
    }
    case '-_':
      return unitAt(node.args, lookup)
    default: {
      const path = lookup.pathOf(node)
      if (path) return lookup.unitOf(path)
      const parts = nodesIn(node)
      if (adding.has(node.op)) return alike(parts)
      if (orders.has(node.op) || (equalities.has(node.op) && node.op !== 'in')) alike(parts)
      else all(parts)
      return undefined
    }
  }
}

/** The unit that they share. */
const same = (units: (string | undefined)[]) => (units.every((unit) => unit === units[0]) ? units[0] : undefined)

const nodesIn = ({ args }: ASTNode): ASTNode[] => (Array.isArray(args) ? args : [args]).filter(isNode)
const isNode = (value: unknown): value is ASTNode => typeof value === 'object' && value !== null && 'op' in value

/** The common unit of parts that are added up, compared or chosen from; plain numbers have none. */
function joined({ start, end }: ASTNode, units: (string | undefined)[], { mixed }: UnitLookup): string | undefined {
  const [first, ...others] = units.filter((unit) => unit !== undefined)
  const other = others.find((unit) => unit !== first)
  if (other !== undefined) mixed.push({ start, end, units: [first, other] })
  return other === undefined ? first : undefined
}
