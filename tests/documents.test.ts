/** Checks that documents are right: links and anchors, commands, settings, and the schema files in them. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileWithWarnings } from '../engine/schema/compile.ts'
import { readSchemas } from '../engine/server/catalog/sources.ts'
import { madeFiles } from '../src/commands/schemas/docs.ts'
import { lists } from '../src/lists.ts'
import { schemasCommand } from './schemasCommand.ts'
import { isOption, refusalOf, shownCommands } from './shownCommands.ts'
import { isLong } from './long.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => path.join(folder, name))
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...filesIn('docs', /\.md$/),
  ...filesIn('engine', /\.md$/),
]
const blocks = (text: string) => [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
const withoutBlocks = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '')

/** Anchors as GitHub derives them from headings. */
const anchorsOf = (text: string) =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )

describe.each(documents)('%s', (file) => {
  const text = read(file)

  test('has no broken links', () => {
    const links = [
      ...withoutBlocks(text)
        .replace(/`[^`\n]*`/g, '')
        .matchAll(/\]\(([^)\s]+)\)/g),
    ].map(([, link]) => link)
    const broken = links.filter((link) => {
      if (/^(https?|mailto):/.test(link)) return false
      const [target, anchor] = link.split('#')
      const found = target === '' ? file : path.join(path.dirname(file), target)
      if (!existsSync(path.join(root, found))) return true
      return anchor !== undefined && !anchorsOf(read(found)).includes(decodeURIComponent(anchor))
    })
    expect(broken).toEqual([])
  })

  test('shows only commands that would run', async () => {
    const { commands, options } = shownCommands(text)
    const refusals = await Promise.all(commands.map((words) => refusalOf(words, text)))
    expect(
      refusals.flatMap((why, index) => (why === undefined ? [] : [`${commands[index].join(' ')}: ${why}`])),
    ).toEqual([])
    const unknown = await Promise.all(
      options.map(async ({ words, of }) => ((await isOption(words, of, commands)) ? [] : words)),
    )
    expect(unknown.flat()).toEqual([])
  })

  test('has no drawing that the help does not draw', () => {
    expect(text).not.toMatch(/^```mermaid/m)
  })

  test('names only existing files', () => {
    const named = [...withoutBlocks(text).matchAll(/`((?:engine|src|tests|schemas|docs)\/[^`\s<>*…]+)`/g)].map(
      ([, name]) => name,
    )
    // Files that a guide has the reader create, and files that a command generates.
    const made = /^src\/records\.d\.ts$|vehicle|parking|allowance\.family|commuting|swapKeepers|screens\/note\/|rating/
    expect(named.filter((name) => !made.test(name) && !existsSync(path.join(root, name.replace(/:\d+$/, ''))))).toEqual(
      [],
    )
  })
})

test.each([
  ['npm run chek', 'no script "chek"'],
  ['npm run bench -- --round 5', "Unknown option '--round'"],
  ['npm run bench --rounds 5', '"--" is missing'],
  ['npm run backup -- --to', "'--to <value>' argument missing"],
  ['npm run dev -- fast', "Unexpected argument 'fast'"],
  ['npm run schemas -- explane customer', 'no command "explane"'],
  ['npm run schemas -- check --dats', "Unknown option '--dats'"],
  ['npx vitest run --project journey tests/journeys/menu.test.ts', 'No project is journey'],
  ['npx vitest run tests/nowhere/nothing.test.ts', 'No test has tests/nowhere/nothing.test.ts'],
  ['node session.mjs', 'no such file'],
  ['docker build -f docs/Containerfile .', 'There is no docs/Containerfile'],
])('%s would be refused', async (command, why) => {
  const { commands } = shownCommands(`\`\`\`sh\nDATA_DIR=/tmp/x ${command}   # why\n\`\`\`\n`)
  expect(commands).toHaveLength(1)
  expect(await refusalOf(commands[0], '')).toContain(why)
})

test('the README is short and says how to start and to test', () => {
  const text = read('README.md')
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  expect(text).toContain('npm ci && npm run demo')
  expect(text).toContain('npm ci && npm test')
  for (const [, picture] of text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g))
    expect(statSync(path.join(root, picture)).size, picture).toBeLessThan(300_000)
})

describe('settings', () => {
  const sources = ['engine/server', 'src'].flatMap((folder) =>
    filesIn(folder, /\.ts$/).filter((name) => !/\.test\.ts$|\/bench\//.test(name)),
  )
  const code = sources.map(read).join('\n')
  const table = [...read('docs/operate.md').matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm)].flatMap(([, names]) =>
    [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
  )

  test('in documents are read by the code', () => {
    expect(table.length).toBeGreaterThan(15)
    const named = documents.flatMap((file) =>
      [...read(file).matchAll(/`([A-Z]+(?:_[A-Z0-9]+)+)[`=]/g)].map(([, name]) => name),
    )
    const everywhere = `${code}\n${filesIn('tests', /\.ts$/).map(read).join('\n')}`
    expect([...new Set([...table, ...named])].filter((name) => !new RegExp(`\\b${name}\\b`).test(everywhere))).toEqual(
      [],
    )
  })

  test('that the code reads are documented', () => {
    const used = [
      ...code.matchAll(/process\.env\.([A-Z_]+)/g),
      // Names that a table looks up.
      ...code.matchAll(/^ +(?!code\b)\w+: '([A-Z]+(?:_[A-Z]+)+)',?$/gm),
      ...[...code.matchAll(/\{([^{}]*)\} = (?:process\.env|environment)\b/g)].flatMap(([, names]) => [
        ...names.matchAll(/\b([A-Z][A-Z_]{3,})\b/g),
      ]),
      ...code.matchAll(/\b(?:environment|env)\.([A-Z_]{4,})/g),
    ].map(([, name]) => name)
    // Settings of Node, the shell and the test runner.
    const internal = ['NODE_ENV', 'PATH', 'TEST_REPORT', 'TEST_DATABASE_URL', 'REACHED', 'MODE']
    const all = documents.map(read).join('\n')
    expect([...new Set(used)].filter((name) => !internal.includes(name) && !all.includes(`\`${name}`)).sort()).toEqual(
      [],
    )
  })
})

test('files generated from the schema language are up to date', () => {
  const stale = Object.entries(madeFiles()).filter(
    ([file, text]) => !existsSync(path.join(root, file)) || read(file) !== text,
  )
  expect(
    stale.map(([file]) => file),
    'run npm run schemas -- docs',
  ).toEqual([])
})

const withProduct = (files: ReadonlyMap<string, string>) => [
  ...readSchemas('schemas'),
  ...[...files].map(([name, text]) => ({ path: name, text })),
]
/** The files that the reader of the first hour has at its end. */
const files = new Map<string, string>()

/** For each section of the first hour: the files that the reader then has, and the issues in them. */
test('the first hour compiles with the product after each of its sections', () => {
  const sections = read('docs/analyst.md')
    .split(/^## /m)
    .map((section) => {
      for (const [, fence, text] of blocks(section)) {
        const [, file, begins] = /^json (schemas\/\S+)(?: instead of "(.+)")?$/.exec(fence) ?? []
        if (file === undefined) continue
        if (begins === undefined) files.set(file, text)
        else {
          const lines = files.get(file)!.split('\n')
          const at = lines.findIndex((line) => line.startsWith(begins))
          expect(at, `${file}: ${begins}`).toBeGreaterThan(0)
          files.set(file, lines.toSpliced(at, 1, text.trimEnd()).join('\n'))
        }
      }
      const { issues, warnings } = compileWithWarnings(withProduct(files), lists)
      return [section.split('\n', 1)[0], ...[...issues, ...warnings].map(({ message }) => message)]
    })
  expect(sections.filter(([, ...messages]) => messages.length)).toEqual([
    [
      '3. A dictionary, a rule and three states (15 minutes)',
      '"import" needs a screen of the kind "imports" for vehicle: there is no file vehicle.imports.json.',
    ],
  ])
  expect([...files.keys()].map((file) => path.basename(file))).toEqual([
    'vehicle.entity.json',
    'vehicle.list.json',
    'vehicle.form.json',
    'vehicleStatus.dictionary.json',
    'vehicle.imports.json',
    'vehicle.importDetail.json',
  ])
})

test.runIf(isLong)(
  'the commands of the first hour run on its files',
  async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'formwork-hour-'))
    try {
      for (const { path: name, text } of withProduct(files)) {
        mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
        writeFileSync(path.join(home, name), text)
      }
      const folder = path.join(home, 'schemas')
      const commands = blocks(read('docs/analyst.md'))
        .filter(([, fence]) => fence === 'sh')
        .flatMap(([, , text]) => [...text.matchAll(/^npm run schemas -- ((?:check|explain)\b[^#\n]*)/gm)])
        .map(([, words]) => words.trim().split(' '))
      expect(commands).toHaveLength(4)
      for (const words of commands) {
        const { status, output } = await schemasCommand(
          ...words,
          ...(words[0] === 'check' ? [folder] : ['--schemas', folder]),
        )
        expect(status, output).toBe(0)
      }
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
  120_000,
)
