import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import ts from 'typescript'

const root = path.resolve(import.meta.dirname, '..')
const parsers = new Map<string, ParseArgsConfig>()

/**
 * What a command gives to parseArgs, read from its source, because importing it would start it. One that calls no
 * parseArgs takes nothing.
 */
export function parserOf(file: string): ParseArgsConfig {
  const known = parsers.get(file)
  if (known) return known
  const source = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
  let config: ParseArgsConfig = {}
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'parseArgs')
      config = literalOf(node.arguments[0]) as ParseArgsConfig
    ts.forEachChild(node, visit)
  }
  visit(source)
  parsers.set(file, config)
  return config
}

/** Without what is only known when the command runs: computed keys, and defaults that are no literal. */
function literalOf(node: ts.Node): unknown {
  if (!ts.isObjectLiteralExpression(node)) return ts.isStringLiteral(node) ? node.text : node.getText() === 'true'
  const known = node.properties
    .filter(ts.isPropertyAssignment)
    .filter(({ name }) => !ts.isComputedPropertyName(name) && name.getText() !== 'default')
  return Object.fromEntries(known.map(({ name, initializer }) => [name.getText(), literalOf(initializer)]))
}
