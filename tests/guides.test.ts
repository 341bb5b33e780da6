/** Follows the guides for developers to the letter, in one copy of the project. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong } from './long.ts'

const root = path.resolve(import.meta.dirname, '..')
/**
 * A block of a guide, with what its fence names: a new file, or text that goes before a line of an existing file or
 * replaces it.
 */
interface Block {
  file: string
  place?: 'before' | 'instead of'
  line: string
  text: string
}
const fence = /^```\w+ (\S+\/\S+)(?: (before|instead of) "(.+)")?\n([\s\S]*?)^```$/gm
const blocksOf = (guide: string): Block[] =>
  [...readFileSync(path.join(root, guide), 'utf8').matchAll(fence)].map(([, file, place, line, text]) => ({
    file,
    place: place as Block['place'],
    line,
    text,
  }))
const widgetGuide = 'engine/widgets/README.md'
const guides = ['docs/analyst.md', 'docs/developer.md', widgetGuide]
const blocks = guides.flatMap(blocksOf)
/** The command by which the guide has the reader test the new widget. */
const [, contract, widget] =
  /`npx vitest run --project 'unit\*' (\S+) -t (\w+)`/.exec(readFileSync(path.join(root, widgetGuide), 'utf8')) ?? []

let copy: string
function follow({ file, place, line: begins, text }: Block) {
  const at = path.join(copy, file)
  if (place === undefined) {
    mkdirSync(path.dirname(at), { recursive: true })
    writeFileSync(at, text)
    return
  }
  const lines = readFileSync(at, 'utf8').split('\n')
  const found = lines.flatMap((line, index) => (line.startsWith(begins) ? [index] : []))
  expect(found, `${file} has one line that begins with ${begins}`).toHaveLength(1)
  lines.splice(found[0], place === 'before' ? 0 : 1, text.trimEnd())
  writeFileSync(at, lines.join('\n'))
}

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'formwork-guide-'))
  for (const part of ['engine', 'src', 'schemas', 'tests', 'docs', 'package.json', 'tsconfig.json', 'vite.config.ts'])
    cpSync(path.join(root, part), path.join(copy, part), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  blocks.forEach(follow)
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const run = (...parameters: string[]) => {
  // Run as from a shell, without the environment of the surrounding test.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(NODE_ENV|TEST|VITE.*|DEV|PROD|MODE|BASE_URL|SSR|SCHEMAS_DIR)$/.test(name),
    ),
  )
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { cwd: copy, encoding: 'utf8', env })
  return { status, output: stdout + stderr }
}
test('the guides have blocks of each kind', () => {
  const names = (some: Block[]) => some.map(({ file }) => path.basename(file))
  const isMade = ({ place }: Block) => place === undefined
  expect(names(blocks.filter(isMade))).toEqual([
    'vehicle.entity.json',
    'vehicle.list.json',
    'vehicle.form.json',
    'vehicleStatus.dictionary.json',
    'vehicle.entity.json',
    'vehicle.list.json',
    'vehicle.imports.json',
    'vehicle.importDetail.json',
    'swapKeepers.ts',
    'swapKeepers.test.ts',
    'note.ts',
    'note.view.tsx',
    'parking.note.json',
    'note.view.test.tsx',
    'rating.ts',
    'rating.view.tsx',
    'rating.examples.ts',
  ])
  expect(new Set(names(blocks.filter((block) => !isMade(block))))).toEqual(
    new Set([
      'functions.ts',
      'vehicle.list.json',
      'vehicle.form.json',
      'vehicle.entity.json',
      'names.ts',
      'index.ts',
      'views.ts',
      'customer.entity.json',
    ]),
  )
})

test.each(guides)('%s says in its text where each block goes, because the page does not show its fence', (guide) => {
  const sections = readFileSync(path.join(root, guide), 'utf8').split(/^(?=## )/m)
  const unmentioned = sections.flatMap((section) =>
    [...section.matchAll(fence)].flatMap(({ index, 1: file, 3: line = '' }) => {
      const prose = section.slice(0, index).replace(/^```[\s\S]*?^```$/gm, '')
      return prose.includes(path.basename(file)) && prose.includes(line.trim()) ? [] : [`${file} ${line}`]
    }),
  )
  expect(unmentioned).toEqual([])
})

test.runIf(isLong)(
  'types are right, including those of the records',
  () => {
    expect(run('--import', 'tsx', 'src/commands/schemas.ts', 'types').status).toBe(0)
    expect(run('node_modules/ts7/bin/tsc', '-p', '.')).toEqual({ status: 0, output: '' })
  },
  240_000,
)

// The server of the procedure's test compiles the schema files.
test.runIf(isLong)(
  'the widget passes both halves of the contract, and the tests of the guides pass',
  () => {
    const { status, output } = run(
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'unit*',
      '--retry=0',
      contract,
      'swapKeepers',
      'engine/screens/note',
      'engine/server/records/reading/formulaSql',
      '-t',
      `${widget}|name each folder once|vehicle|note|yearsBetween`,
    )
    expect(status, output).toBe(0)
    expect(output.replace(/\u001b\[\d+m/g, '')).toMatch(/Test Files +7 passed/)
  },
  360_000,
)
