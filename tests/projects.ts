import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'
import { isLong } from './long.ts'

const wantsPage = /@vitest-environment jsdom/
/** Matches tests that replace modules which other tests share; the whole page does, and closes its server at the end. */
const wantsOwnModules =
  /\bvi\.(mock|resetModules)|\bprocess\.env\.\w+ =|assign\(globalThis|\.getState\(\)|tests\/page\.tsx'/

/** Whether another file runs it in a page that they share; run by its name, it gets a page of its own. */
function isInPage(name: string): boolean {
  const [, file] = /^src\/shell\/(.*)$/.exec(name) ?? []
  return (
    file !== undefined &&
    readFileSync('src/shell/page.test.tsx', 'utf8').includes(`import('./${file}')`) &&
    !process.argv.includes(name)
  )
}

const all = ['engine', 'src', 'tests']
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .filter((name) => /\.test\.tsx?$/.test(name) && !isInPage(name))
const journeys = all.filter((name) => name.startsWith('tests/journeys/'))
const matchingOf = (names: readonly string[], pattern: RegExp) =>
  names.filter((name) => pattern.test(readFileSync(name, 'utf8')))

/**
 * Tests of what an older PostgreSQL on a network address may do differently: each kind of query, all tables, and, by the
 * small demo, every procedure.
 */
export const onOtherDatabase = [
  ...[
    'catalog/applyFormulas',
    'postgres/dump',
    'records/reading/lookups',
    'records/reading/query',
    'screens/reports',
    ...(isLong ? ['jobs/daily', 'dataDiff', 'catalog/presets'] : []),
  ].map((name) => `engine/server/${name}.test.ts`),
  'engine/server/records/feed.test.ts',
  ...['system', 'tables', 'uniqueItems'].map((name) => `engine/server/postgres/${name}.test.ts`),
  ...(isLong ? ['importExisting', 'importUndo', 'importWrite'] : []).map(
    (name) => `engine/server/imports/${name}.test.ts`,
  ),
  'tests/contract/database.test.ts',
  ...(isLong ? ['tests/contract/smallDemo.test.ts'] : matchingOf(all, /\bcreateSmallDemo\(/)),
]

/** What runs on another database is not run on both, except in the long form, where the embedded one has the whole demo. */
const isElsewhere = (name: string) =>
  name === 'tests/contract/smallDemo.test.ts' ||
  (!isLong && Boolean(process.env.TEST_DATABASE_URL) && onOtherDatabase.includes(name))
const units = all.filter((name) => !name.startsWith('tests/journeys/') && !isElsewhere(name))
const apart = matchingOf(units, wantsOwnModules)
const pages = matchingOf(units, wantsPage).filter((name) => !apart.includes(name))

const projectOf = (test: object): TestProjectInlineConfiguration => ({ extends: true, test })

export const projects = [
  // Files share the modules that a worker has loaded, because loading the engine takes longer than most of them.
  projectOf({
    name: 'unit',
    include: units.filter((name) => !apart.includes(name) && !pages.includes(name)),
    globalSetup: ['tests/globalSetup.ts'],
    setupFiles: ['tests/restore.ts', 'tests/patience.ts'],
    isolate: false,
  }),
  // Loading the components takes longer than most tests of a page.
  projectOf({
    name: 'unit-pages',
    include: pages,
    globalSetup: ['tests/globalSetup.ts'],
    setupFiles: ['tests/restore.ts', 'tests/patience.ts', 'tests/visibility.ts'],
    environment: 'jsdom',
    isolate: false,
  }),
  projectOf({
    name: 'unit-apart',
    include: apart,
    globalSetup: ['tests/globalSetup.ts'],
    setupFiles: ['tests/restore.ts', 'tests/patience.ts', 'tests/visibility.ts'],
  }),
  projectOf({
    name: 'journeys',
    // Pictures are taken by a command and test nothing.
    include: process.env.PICTURES ? ['tests/journeys/{pictures,readmePictures}.ts'] : journeys,
    globalSetup: ['tests/journeys/globalSetup.ts'],
    setupFiles: ['tests/journeys/eachFile.ts'],
    isolate: false,
    testTimeout: 300_000,
  }),
  ...(process.env.TEST_DATABASE_URL
    ? [
        projectOf({
          name: 'other-database',
          include: onOtherDatabase,
          globalSetup: ['tests/otherDatabase.ts'],
          setupFiles: ['tests/restore.ts', 'tests/patience.ts'],
          isolate: false,
        }),
      ]
    : []),
]

/**
 * Files that share modules run first, while the host of the journeys makes its demo; short, isolated files run last.
 */
const order = ['unit', 'journeys', 'other-database', 'unit-pages', 'unit-apart']

/** Generated journeys, and the page with the tests that share it: few lines of code, but minutes of work. */
const longest = [
  ...['forms', 'actions', 'lists'].map((name) => `tests/journeys/${name}.test.ts`),
  'src/shell/page.test.tsx',
]

/**
 * The largest file of a project first. The first file that needs the demo makes it while the others would wait, so they
 * come last.
 */
function placeOf({ moduleId, project }: TestSpecification): number[] {
  const wantsDemo = /\bcreate(DemoServer|SmallDemo)\(/.test(readFileSync(moduleId, 'utf8'))
  const makesDemo = moduleId.endsWith('src/demo/cases.test.ts')
  const isLong = longest.some((name) => moduleId.endsWith(name))
  return [order.indexOf(project.name), makesDemo || isLong ? -1 : Number(wantsDemo), -statSync(moduleId).size]
}

export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const places = new Map(files.map((file) => [file, placeOf(file)]))
    return files.toSorted((a, b) => {
      const other = places.get(b)!
      return (
        places
          .get(a)!
          .map((part, index) => part - other[index])
          .find((difference) => difference !== 0) ?? 0
      )
    })
  }
}
