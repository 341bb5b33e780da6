import type { ASTNode } from '@marcbachmann/cel-js'
import type { Label } from '../../model/model.ts'
import type { Environment } from '../environment.ts'
import { ExpressionError, fault, type ExpressionFault, type Range } from '../fault.ts'
import type { Operand } from '../operand.ts'
import { nameOf, notation, type Type } from '../type.ts'

export interface Context<S> {
  scope: S
  now: string
  /** Operands that do not go together are an error instead of a missing value. */
  strict: boolean
  /** The items of the surrounding `exists`, `map`, …, outermost first. */
  items: Operand[]
}
export type Run<S> = (context: Context<S>) => Operand
export interface Part<S> {
  type: Type
  run: Run<S>
}
export interface Use {
  name: string
  start: number
  end: number
}

/** State shared by the parts of one expression during analysis. */
export interface Walk<S> {
  text: string
  environment: Environment<S>
  uses: Use[]
  /** The items of the surrounding `exists`, `map`, …, outermost first. */
  items: { name: string; type: Type }[]
  part(this: void, node: ASTNode): Part<S>
  /** @returns the placeholder for the faulty part. */
  report(this: void, fault: ExpressionFault): Part<S>
}

export type Node<Op extends ASTNode['op']> = Extract<ASTNode, { op: Op }>

export const missing: Part<unknown> = { type: 'any', run: () => null }

/** Undefined comes from operands of type `any` that do not go together. */
export function settle<S>(value: Operand | undefined, context: Context<S>, fault: () => ExpressionFault): Operand {
  if (value !== undefined) return value
  if (context.strict) throw new ExpressionError(fault())
  return null
}

export const syntax = (node: Range & { input?: string }, message: Label): ExpressionFault =>
  fault('expression-syntax', node, node.input?.slice(node.start, node.end) ?? '', [], message)

export const different = (range: Range, left: Type, right: Type): ExpressionFault =>
  fault('wrong-type', range, notation(right), [notation(left)], {
    cn: `类型不一致：${nameOf(left).cn}与${nameOf(right).cn}`,
    en: `The types differ: ${nameOf(left).en} and ${nameOf(right).en}`,
  })
