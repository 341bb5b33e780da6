import ts from 'typescript'

/** A place in a source that can be broken, and what replaces it. */
export interface Place {
  /** The kind of break: `condition`, `operator`, `call` or `answer`. */
  kind: string
  start: number
  /** The expression in the source. */
  text: string
  /** The expression that replaces `text` when the place is broken. */
  broken: string
}

const opposite: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
}

/**
 * The places of a file that can be broken, in order. They are inside functions only, because everything needs what a
 * file does when it is loaded.
 */
export function placesOf(file: string, source: string): Place[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kindOf(file))
  const places: Place[] = []
  const add = (kind: string, node: ts.Node, broken: string) =>
    places.push({ kind, start: node.getStart(tree), text: node.getText(tree), broken })
  const visit = (node: ts.Node, isInside: boolean): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return
    if (isInside) look(node)
    const opens = ts.isFunctionLike(node)
    ts.forEachChild(node, (child) => visit(child, isInside || opens))
  }
  const look = (node: ts.Node): void => {
    if (ts.isIfStatement(node)) add('condition', node.expression, `!(${node.expression.getText(tree)})`)
    if (ts.isBinaryExpression(node)) {
      const other = opposite[node.operatorToken.kind]
      if (other) add('operator', node, `(${node.left.getText(tree)}) ${other} (${node.right.getText(tree)})`)
    }
    if (ts.isExpressionStatement(node) && isCall(node.expression)) add('call', node.expression, 'undefined')
    if (ts.isReturnStatement(node) && node.expression && isCall(node.expression))
      add('answer', node.expression, 'undefined')
  }
  visit(tree, false)
  return places
}

const isCall = (node: ts.Expression): boolean =>
  ts.isCallExpression(node) || (ts.isAwaitExpression(node) && ts.isCallExpression(node.expression))

const kindOf = (file: string) => (file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)
