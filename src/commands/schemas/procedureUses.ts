import { join, relative } from 'node:path'
import ts from 'typescript'
import { fitsPattern } from '../../../engine/schema/linking/fitsPattern.ts'
import type { ProcedureUses } from '../../../engine/schema/named.ts'

/** The fields that every record has. */
const ofTheSystem = new Set(['id', 'revision', 'createdBy', 'createdAt', 'updatedBy', 'updatedAt'])

/** The record fields that a declaration names, and the declarations that it refers to. */
interface Declared {
  isExported: boolean
  fields: Set<string>
  leadsTo: Set<string>
}

/**
 * Procedure → entity → the fields that it reads or writes, itself or through what it calls. The compiler of schema
 * files needs this list, because it does not read TypeScript. `lateFee?` need not be a field of every family, and
 * `*Company?` stands for all fields whose names end so.
 */
export function procedureUses(root: string, procedures: readonly string[]): ProcedureUses {
  const records = join(root, 'src/records.d.ts')
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram([join(root, 'src/procedures/index.ts'), records], options)
  const declared = declarationsOf(program, root, fieldFinder(program, records))
  const uses = procedures.map((procedure): [string, ProcedureUses[string]] => {
    const reached = new Set(
      [...declared].flatMap(([key, { isExported }]) => (isExported && key.endsWith(` ${procedure}`) ? key : [])),
    )
    for (const key of reached) for (const next of declared.get(key)?.leadsTo ?? []) reached.add(next)
    return [procedure, byEntity([...reached].flatMap((key) => [...(declared.get(key)?.fields ?? [])]))]
  })
  const found = uses.filter(([, fields]) => Object.keys(fields).length > 0)
  return Object.fromEntries(found.sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** The functions that read a field by its name, and the place of the record among their arguments. */
const openReads = new Map([
  ['valueIn', 0],
  ['textIn', 0],
  ['rowsIn', 1],
])

/**
 * Finds the record fields that a node names; in a call of the procedure interface, a string is a field of the entity in
 * its first argument.
 */
function fieldFinder(program: ts.Program, records: string): (node: ts.Node) => string[] {
  const checker = program.getTypeChecker()
  const entities = recordTypesIn(program.getSourceFile(records)!)

  /** `entity.field`, if the symbol is one of the generated types. */
  const fieldOf = (symbol: ts.Symbol | undefined): string[] =>
    (symbol?.declarations ?? []).flatMap((node) => {
      const isField = node.getSourceFile().fileName === records && ts.isPropertySignature(node)
      const entity = isField ? entityNameOf(node.parent?.parent) : undefined
      const some = isField && node.questionToken ? '?' : ''
      return isField && entity !== undefined ? [`${entity}.${node.name.getText()}${some}`] : []
    })
  const propertyOf = (type: ts.Type | undefined, name: string): string[] =>
    type ? membersOf(type).flatMap((member) => fieldOf(member.getProperty(name))) : []
  /** The fields that `valueIn(record, name)` and its like may read: those that fit the type of the name. */
  const openFields = (call: ts.CallExpression): string[] => {
    const at = ts.isIdentifier(call.expression) ? openReads.get(call.expression.text) : undefined
    if (at === undefined) return []
    const [record, name] = [call.arguments[at], call.arguments[at + 1]].map((expression) =>
      checker.getTypeAtLocation(expression),
    )
    return membersOf(name).flatMap((member) => {
      if (member.isStringLiteral()) return propertyOf(record, member.value).map(asOpen)
      if (!(member.flags & ts.TypeFlags.TemplateLiteral)) return []
      const pattern = (member as ts.TemplateLiteralType).texts.join('*')
      const fitting = membersOf(record).flatMap((type) =>
        type.getProperties().filter((each) => fitsPattern(each.name, pattern)),
      )
      return fitting.flatMap(fieldOf).map((field) => asOpen(`${field.split('.')[0]}.${pattern}`))
    })
  }
  const inCall = (node: ts.Node, name: string): string[] => {
    for (let call: ts.Node = node.parent; !ts.isStatement(call); call = call.parent) {
      if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) continue
      const [first] = call.arguments
      if (!first || !ts.isStringLiteral(first) || first === node) continue
      const entity = entities.get(first.text)
      const field = entity?.members.find((member) => member.name?.getText() === name.replace(/^-/, ''))
      return field ? [`${first.text}.${field.name!.getText()}`] : []
    }
    return []
  }

  return (node) => {
    if (ts.isCallExpression(node)) return openFields(node)
    if (ts.isPropertyAccessExpression(node)) return fieldOf(checker.getSymbolAtLocation(node.name))
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken)
      return propertyOf(checker.getTypeAtLocation(node.parent), (node.propertyName ?? node.name).getText())
    if (
      (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) &&
      !ts.isComputedPropertyName(node.name)
    ) {
      const fields = propertyOf(checker.getContextualType(node.parent), node.name.text)
      // The result of a callback over a list has no type of its own before the call is resolved.
      return fields.length > 0 ? fields : inCall(node, node.name.text)
    }
    if (ts.isStringLiteral(node)) return inCall(node, node.text)
    return []
  }
}

const membersOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type])
const asOpen = (field: string): string => `${field.replace(/\?$/, '')}?`

function recordTypesIn(records: ts.SourceFile): Map<string, ts.TypeLiteralNode> {
  const entities = new Map<string, ts.TypeLiteralNode>()
  const visit = (node: ts.Node) => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === 'RecordTypes')
      for (const member of node.members)
        if (ts.isPropertySignature(member) && member.type && ts.isTypeLiteralNode(member.type))
          entities.set(member.name.getText(), member.type)
    ts.forEachChild(node, visit)
  }
  visit(records)
  return entities
}

/** The declarations of all procedure files, by file and name. */
function declarationsOf(
  program: ts.Program,
  root: string,
  fieldsAt: (node: ts.Node) => string[],
): Map<string, Declared> {
  const checker = program.getTypeChecker()
  const isOurs = (file: ts.SourceFile) => file.fileName.startsWith(join(root, 'src/procedures/'))
  const keyOf = (file: ts.SourceFile, name: string) => `${relative(root, file.fileName)} ${name}`
  function leadsTo(node: ts.Identifier): string[] {
    const named = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node)
    const symbol = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named
    return (symbol?.declarations ?? []).flatMap((declaration) => {
      const file = declaration.getSourceFile()
      return isOurs(file) && symbol ? [keyOf(file, symbol.name)] : []
    })
  }

  const declared = new Map<string, Declared>()
  for (const file of program.getSourceFiles().filter(isOurs)) {
    for (const statement of file.statements) {
      for (const { name, node } of declarationsIn(statement)) {
        const found: Declared = { isExported: isExported(statement), fields: new Set(), leadsTo: new Set() }
        const visit = (inner: ts.Node) => {
          for (const field of fieldsAt(inner)) found.fields.add(field)
          if (ts.isIdentifier(inner)) for (const key of leadsTo(inner)) found.leadsTo.add(key)
          ts.forEachChild(inner, visit)
        }
        visit(node)
        declared.set(keyOf(file, name), found)
      }
    }
  }
  return declared
}

/** The entity of a record type; `*Addition` for the type that all families of a template share. */
function entityNameOf(node: ts.Node | undefined): string | undefined {
  if (!node) return undefined
  if (ts.isPropertySignature(node)) return node.name.getText()
  const key = ts.isIndexSignatureDeclaration(node) ? node.parameters[0].type?.getText() : undefined
  return key?.replace('${string}', '*').replaceAll('`', '')
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

/** The names that a statement declares, with their nodes. */
function declarationsIn(statement: ts.Statement): { name: string; node: ts.Node }[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap((node) => namesIn(node.name).map((name) => ({ name, node })))
  const isNamed =
    ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement)
  return isNamed && statement.name ? [{ name: statement.name.text, node: statement }] : []
}

const namesIn = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)))

function byEntity(found: readonly string[]): ProcedureUses[string] {
  const fields = new Map<string, string[]>()
  const all = new Set(found)
  for (const path of [...all].sort()) {
    const [entity, field] = path.split('.')
    const isDuplicate = field.endsWith('?') && all.has(path.slice(0, -1))
    if (!isDuplicate && !ofTheSystem.has(field.replace(/\?$/, '')))
      fields.set(entity, [...(fields.get(entity) ?? []), field])
  }
  return Object.fromEntries(fields)
}
