/** Every text that the product ships exists in English too, except texts of documents and place names. */
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import type { Field } from '../engine/model/model.ts'
import { translateBroughtText } from '../engine/server/records/reading/translateBroughtText.ts'
import { productCatalog } from './compiledOnce.ts'

const { entities, presets } = productCatalog()
const chinese = /[\u4e00-\u9fff]/
const isChinese = (field: Field, text: string) => chinese.test(String(translateBroughtText('en', field, text)))

test('preset records', () => {
  const meant: Record<string, string> = {
    'region.name': 'places are called so on every document',
    'contractTemplate.content': 'the text of a Chinese contract',
  }
  const found = presets.flatMap(({ entity, rows }) =>
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([name, value]) =>
        typeof value === 'string' && chinese.test(value) && isChinese(entities[entity].fields[name], value)
          ? [`${entity}.${name}`]
          : [],
      ),
    ),
  )
  expect([...new Set(found)].sort()).toEqual(Object.keys(meant).sort())
})

/** The Chinese texts in a formula. */
const textsIn = (formula: string) => [...formula.matchAll(/'([^']*[\u4e00-\u9fff][^']*)'/g)].map(([, text]) => text)
/** Whether a text stays Chinese by itself and with something around it, such as a month before it. */
const staysChinese = (field: Field, text: string) =>
  [text, `x${text}`, `${text}x`, `x2026-11${text}`].every((each) => isChinese(field, each))

test('defaults and effects of a write', () => {
  const found = Object.values(entities).flatMap((entity) => {
    const written = (entity: string, values: Record<string, string> = {}) =>
      Object.entries(values).flatMap(([name, formula]) =>
        textsIn(formula)
          .filter((text) => staysChinese(entities[entity].fields[name], text))
          .map((text) => `${entity}.${name}: ${text}`),
      )
    const effects = [
      ...entity.states.flatMap(({ transitions }) => Object.values(transitions)),
      ...Object.values(entity.actions),
      ...entity.saves,
    ]
    return [
      ...Object.values(entity.fields).flatMap((field) => [
        ...(typeof field.default === 'string' && chinese.test(field.default) && isChinese(field, field.default)
          ? [`${entity.name}.${field.name}: ${field.default}`]
          : []),
        ...written(entity.name, field.defaultFrom === undefined ? {} : { [field.name]: field.defaultFrom }),
      ]),
      ...effects.flatMap(({ set, append }) => [
        ...written(entity.name, set),
        ...append.flatMap((each) => written(each.entity, each.set)),
      ]),
    ]
  })
  expect(found).toEqual([])
})

/** Chinese texts in a file without an English one beside them. */
function loneTexts(file: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'cn') return
    const isText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)
    if (isText && chinese.test(node.getText())) found.push(node.getText())
    else ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true))
  return found
}

test('texts that procedures and the server write', () => {
  const meant: Record<string, string> = {
    'engine/server/imports/importCells.ts': 'what is written in a file for "the same as in the other column"',
    'engine/server/imports/importRoutes.ts': 'beside its English',
    'engine/server/sheets/columns.examples.ts': 'examples of tests',
    'src/procedures/contract/contractTexts.ts': 'a Chinese contract',
    'src/procedures/print/amountInWords.ts': 'amounts in words, of Chinese documents',
    'src/procedures/salary/bankFile.ts': 'the file for the bank',
    'src/procedures/salary/exportFilings.ts': 'the file for the tax client',
    'src/procedures/salary/payBatch.ts': 'what the bank prints on the statement of account',
    'src/procedures/salary/payResults.ts': 'a brought text of its field',
    'src/procedures/salary/payslipText.ts': 'payslips for Chinese employees',
    'src/procedures/salary/payslips.ts': 'payslips for Chinese employees',
    'src/procedures/settlement/printedStatement.ts': 'statements and payment requests for Chinese customers',
    'src/procedures/settlement/printStatements.ts': 'statements and payment requests for Chinese customers',
    'src/procedures/staff/letterText.ts': 'letters, which have a language of their own',
    'src/procedures/welfare/handling/lockedWithout.ts': 'a brought text of its field',
    'src/procedures/welfare/handling/backPaymentLines.ts': 'a brought text of its field',
  }
  const found = ['src/procedures', 'engine/server']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => loneTexts(name).length > 0)
  expect(found.sort()).toEqual(Object.keys(meant).sort())
})
