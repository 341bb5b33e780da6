import { join, resolve } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { compile } from '../../../engine/schema/compile.ts'
import { recordTypes } from '../../../engine/schema/language/recordTypes.ts'
import { reloadSchemas } from '../../../engine/server/http/reload.ts'
import { readSchemas } from '../../../engine/server/catalog/sources.ts'
import { productCatalog } from '../../../tests/compiledOnce.ts'
import { isLong } from '../../../tests/long.ts'
import { createTestServer } from '../../../tests/server.ts'
import { lists } from '../../lists.ts'
import uses from '../../procedures/uses.json' with { type: 'json' }

const root = resolve(import.meta.dirname, '../../..')
const sources = readSchemas('schemas')
/** The same files with a field of `appVersion` renamed. */
const renamed = sources.map(({ path, text }) => ({
  path,
  text: path.includes('/appVersion.') ? text.replaceAll('versionNumber', 'buildNumber') : text,
}))

/** The same files with another name for whether a late fee is the person's, on lines of expenses. */
const withoutBearer = sources.map(({ path, text }) => ({
  path,
  text: path.includes('/expenseLine.entity.') ? text.replace('"$key": "lateFeeBearer"', '"$key": "feeBearer"') : text,
}))
const withoutMonth = sources.map(({ path, text }) => ({ path, text: text.replaceAll('belongMonth', 'monthOfLine') }))
/** All of these at once, and an action renamed. */
const allRenamed = sources.map(({ path, text }, index) => {
  if (path.includes('/appVersion.')) return renamed[index]
  const own = path.includes('/expenseLine.entity.') ? withoutBearer[index].text : text
  return { path, text: own.replaceAll('belongMonth', 'monthOfLine').replaceAll(/\bunclaim\b/g, 'handBack') }
})

/** Parsed once: each program reuses what an earlier one has read. */
const read = new Map<string, ts.SourceFile | undefined>()

const files = [
  'src/procedures/setting/checkVersion.ts',
  'src/procedures/settlement/claimReceipt.ts',
  'src/procedures/welfare/expenses/lineAmounts.ts',
  'src/procedures/salary/readWelfare.ts',
] as const
type FileName = (typeof files)[number]

/** The type errors of each file, as `line | message`, with these record types. */
function mistakesIn<F extends FileName>(names: readonly F[], types: string): Record<F, string[]> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (name) => ts.sys.readFile(name))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  options.types = ['node']
  const host = ts.createCompilerHost(options)
  const records = join(root, 'src/records.d.ts')
  const { getSourceFile } = host
  host.fileExists = (name) => name === records || ts.sys.fileExists(name)
  host.getSourceFile = (name, ...more) => {
    if (name === records) return ts.createSourceFile(name, types, ts.ScriptTarget.Latest, true)
    if (!read.has(name)) read.set(name, getSourceFile(name, ...more))
    return read.get(name)
  }
  const program = ts.createProgram([...names.map((file) => join(root, file)), records], options, host)
  const mistakes = names.map((file) => {
    const source = program.getSourceFile(join(root, file))!
    const found = program.getSemanticDiagnostics(source).map(({ start, messageText }) => {
      const line = source.text.split('\n')[source.getLineAndCharacterOfPosition(start!).line].trim()
      return `${line} | ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
    return [file, found] as const
  })
  return Object.fromEntries(mistakes) as Record<F, string[]>
}
const compiled = new Map<typeof sources, ReturnType<typeof compile>>()
/** Compiled once, although several tests use it. */
function compiledOf(given: typeof sources): ReturnType<typeof compile> {
  if (!compiled.has(given)) compiled.set(given, compile(given, lists))
  return compiled.get(given)!
}
const typesOf = (given: typeof sources) => {
  const { catalog, issues } = compile(given, { ...lists, uses: undefined })
  expect(issues).toEqual([])
  return recordTypes(catalog!, lists.widgets)
}

let types: string
let mistakes: Record<FileName, string[]>
beforeAll(() => {
  types = recordTypes(productCatalog(), lists.widgets)
  mistakes = mistakesIn(files, typesOf(allRenamed))
})

test.skipIf(!isLong)(
  'the procedures have no type error with the files as they are',
  () => {
    expect(Object.values(mistakesIn(files, types)).flat()).toEqual([])
  },
  120_000,
)

test('a field renamed in a schema file is a type error where a procedure uses it', () => {
  expect(mistakes['src/procedures/setting/checkVersion.ts']).toEqual([
    expect.stringMatching(/^for \(const \{ id, platform, versionNumber \} of records\) \{ \| .*versionNumber/),
    expect.stringMatching(/^max: \['versionNumber'\], \| .*versionNumber/),
    expect.stringMatching(/^const last = max\.versionNumber \| .*versionNumber/),
    expect.stringMatching(/^field: 'versionNumber', \| .*versionNumber/),
  ])
})

test('an action renamed in a schema file is a type error where a procedure runs it', () => {
  expect(mistakes['src/procedures/settlement/claimReceipt.ts']).toContainEqual(
    expect.stringMatching(/'unclaim'.*ActionName<"receipt">/),
  )
})

test('refuses files without a field that a procedure uses, naming the procedure', () => {
  expect(uses.checkVersion).toEqual({ appVersion: ['platform', 'versionNumber'] })
  const { catalog, issues } = compiledOf(renamed)
  expect(catalog).toBeUndefined()
  expect(issues.map(({ code, message, file }) => [code, message, file])).toEqual([
    [
      'procedure-field',
      'The procedure "checkVersion" uses appVersion.versionNumber, which no file declares. If it is called "buildNumber" now, say "was": "versionNumber" there; the code must follow.',
      'schemas/setting/appVersion.entity.json',
    ],
  ])
})

test('what all families share has one type, which each family must satisfy', () => {
  expect(types).toMatch(/\[name: `\$\{string\}ExpenseLine`\]: \{[^]*? belongMonth: string\n/)
  expect(mistakes['src/procedures/welfare/expenses/lineAmounts.ts']).toEqual([
    expect.stringMatching(/^const month = .*belongMonth/),
    expect.stringMatching(/^const \{ belongMonth \} = line/),
  ])
  const { issues } = compile(withoutMonth, lists)
  expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(['procedure-field']))
  const found = issues.map(({ message }) => / uses? \w+(ExpenseLine\.\w+), which/.exec(message)?.[1])
  expect(new Set(found)).toEqual(new Set(['ExpenseLine.belongMonth']))
  expect(issues.map(({ message }) => message).join()).toContain('The same applies to')
}, 120_000)

test('a field that only some families have is a type error where it is read by name, if renamed', () => {
  const file = 'src/procedures/salary/readWelfare.ts'
  expect(mistakes[file]).toContainEqual(
    expect.stringMatching(/^textIn\(line, 'lateFeeBearer'\) === 'person' \| .*"lateFeeBearer"/),
  )
  const [others, lines] = types.split('[name: `${string}ExpenseLine`]')
  const withoutPersonal = `${others}[name: \`\${string}ExpenseLine\`]${lines.replaceAll('Personal?:', 'Own?:')}`
  expect(mistakesIn([file], withoutPersonal)[file]).toContainEqual(
    expect.stringMatching(/^textIn\(line, `\$\{item.key\}Personal`\)/),
  )
}, 120_000)

test("an optional family field must exist in a family, or be absent only by a family's parameters", () => {
  expect(uses.calculatePayroll['*ExpenseLine']).toContain('lateFeeBearer?')
  const { issues } = compiledOf(withoutBearer)
  expect(issues.map(({ code, message }) => [code, message])).toEqual([
    ['procedure-field', expect.stringMatching(/use \w+ExpenseLine\.lateFeeBearer, which/)],
  ])
  if (!isLong) return
  const none = sources.map(({ path, text }) => ({
    path,
    text: text.replace('"lateFee": "daily"', '"lateFee": "none"'),
  }))
  expect(compile(none, lists).issues).toEqual([])
  const given = (path: string) => !/(medicalinsurance|socialsecurity)\.family\./.test(path)
  const compiled = compile(
    sources.filter(({ path }) => given(path)),
    lists,
  )
  expect(compiled.issues.filter(({ code }) => code === 'procedure-field')).toEqual([])
}, 120_000)

test('a reload of such files changes nothing, and reports why', async () => {
  const house = await createTestServer()
  try {
    const { hash } = house.runtime.derived.catalog
    for (const files of [renamed, withoutBearer]) {
      const issues = await reloadSchemas(house.runtime, () => compiledOf(files))
      expect(issues).toMatchObject([{ code: 'procedure-field' }])
    }
    expect(house.runtime.derived.catalog.hash).toBe(hash)
  } finally {
    await house.close()
  }
})
