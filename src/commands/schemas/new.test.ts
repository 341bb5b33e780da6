import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answering, schemasCommand } from '../../../tests/schemasCommand.ts'
import { isLong } from '../../../tests/long.ts'
import { copySoundTree } from '../../../tests/soundTree.ts'

let home: string
let directory: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'formwork-new-'))
  directory = join(home, 'schemas')
  copySoundTree(directory)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function run(parameters: string[], input = '') {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'src/commands/schemas.ts', ...parameters],
    { encoding: 'utf8', input },
  )
  return { status, output: stdout + stderr }
}

test('prompts on the terminal, again after an invalid answer, and writes files that pass the check', async () => {
  const result = run(
    ['new', 'list', '--schemas', directory, '--route=/buyer'],
    'custmer\ncustomer\nbuyer\n\nx\n20\n\nBuyers\n',
  )
  expect(result.output).toContain('Entity whose records it is about [')
  expect(result.output).toContain('"custmer" is none of them. Did you mean "customer"?')
  expect(result.output).toContain('A whole number is needed.')
  expect(result).toEqual({
    status: 0,
    output: expect.stringContaining(`written ${join(directory, 'shop/buyer.list.json')}`),
  })
  expect(JSON.parse(readFileSync(join(directory, 'shop/buyer.list.json'), 'utf8'))).toEqual({
    route: '/buyer',
    entity: 'customer',
    title: { cn: '顾客', en: 'Buyers' },
    menu: { order: 20 },
    columns: ['name'],
    actions: ['export', 'delete'],
  })
  expect((await schemasCommand('check', directory)).output).toContain('17 files, no issue')
}, 240_000)

test('prompts again for an answer that turns out wrong, with the reason, and keeps the others', async () => {
  const newFamily = (name: string, input: string) =>
    answering(input, 'new', 'family', '--schemas', directory, '--name', name)
  const result = await newFamily('garage', 'fee\n车库费\nGarage fee\nparking\ngarage\n')
  expect(result).toEqual({
    status: 0,
    output: expect.stringContaining(`written ${join(directory, 'shop/garage.family.json')}`),
  })
  expect(result.output.match(/Another family has the key "parking"\./g)).toHaveLength(1)
  expect(result.output.match(/cn: |en: |key \(garagefee\): /g)).toEqual([
    'cn: ',
    'en: ',
    'key (garagefee): ',
    'key (garagefee): ',
  ])
  expect(JSON.parse(readFileSync(join(directory, 'shop/garage.family.json'), 'utf8'))).toEqual({
    template: 'fee',
    parameters: { key: 'garage', cn: '车库费', en: 'Garage fee' },
  })
  const nobody = await newFamily('twin', 'fee\n车库\nGarage\nparking\n')
  expect(nobody).toEqual({ status: 1, output: expect.stringContaining('Nothing was written.') })
  expect(nobody.output).toContain('--parameter-cn 车库 --parameter-en Garage')
  expect(existsSync(join(directory, 'shop/twin.family.json'))).toBe(false)
}, 240_000)

test('writes nothing if an answer is missing, wrong or belongs to no question', async () => {
  const entity = [
    'new',
    'entity',
    '--schemas',
    directory,
    '--name',
    'car',
    '--area',
    'shop',
    '--cn',
    '车',
    '--field',
    'name',
    '--field-cn',
    '名称',
    '--field-en',
    'Name',
  ]
  expect(await schemasCommand(...entity)).toEqual({ status: 2, output: expect.stringContaining('give it as --en.') })
  expect(await schemasCommand(...entity, '--en', 'Car', '--colour', 'red')).toEqual({
    status: 2,
    output: expect.stringContaining('--colour answers no question'),
  })
  expect(await schemasCommand('new', 'entity', '--schemas', directory, '--name', 'order')).toEqual({
    status: 2,
    output: expect.stringContaining('--name: There is an entity "order" already.'),
  })
  expect(await schemasCommand('new', 'house')).toEqual({
    status: 2,
    output: expect.stringContaining('area, entity, screen, family, widget'),
  })
  expect(existsSync(join(directory, 'shop/car.entity.json'))).toBe(false)
}, 240_000)

test('a new field type meets the contract of all field types', () => {
  for (const path of [
    'engine',
    'tests/contract',
    'tests/globalSetup.ts',
    'tests/visibility.ts',
    'tests/long.ts',
    'tests/projects.ts',
    'tests/roomiest.ts',
    'vite.config.ts',
    'package.json',
    'tsconfig.json',
  ]) {
    mkdirSync(resolve(home, path, '..'), { recursive: true })
    cpSync(path, join(home, path), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(home, 'node_modules'))
  const made = run([
    'new',
    'widget',
    '--root',
    home,
    '--type',
    'licence-plate',
    '--cn',
    '车牌',
    '--en',
    "Driver's plate",
  ])
  expect(made.status).toBe(0)
  expect(
    made.output
      .trim()
      .split('\n')
      .map((line) => line.replace(`${home}/`, '')),
  ).toEqual([
    'written engine/widgets/licence-plate/licence-plate.ts',
    'written engine/widgets/licence-plate/licence-plate.view.tsx',
    'written engine/widgets/licence-plate/licence-plate.examples.ts',
    'changed engine/widgets/index.ts',
    'changed engine/widgets/views.ts',
  ])
  const list = (file: string) => readFileSync(join(home, 'engine/widgets', file), 'utf8')
  expect(list('index.ts')).toMatch(
    /'\.\/json\/json\.ts'\nimport \{ licencePlate \} from '\.\/licence-plate\/licence-plate\.ts'\nimport/,
  )
  expect(list('index.ts')).toContain('  json,\n  licencePlate,\n  money,')
  expect(list('views.ts')).toMatch(/  json: .*\n  'licence-plate': async .*licencePlateView,\n  money/)
  if (isLong) keepsTheContract()
}, 240_000)

/** In a run of tests of its own, which takes a minute: the guides' test does the same for the widget of its page. */
function keepsTheContract() {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'unit*',
      'tests/contract/widgets.test.ts',
      '-t',
      'licence-plate|the lists',
      '--reporter',
      'json',
    ],
    { cwd: home, encoding: 'utf8' },
  )
  const { testResults } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    testResults: { assertionResults: { fullName: string; status: string }[] }[]
  }
  const own = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName, status }) => fullName.includes('licence-plate') && status !== 'skipped')
  expect(own.length).toBeGreaterThan(5)
  expect(own.filter((each) => each.status === 'failed')).toEqual([])
  expect(status, stderr).toBe(0)
}

test.runIf(isLong)(
  'without a terminal all missing answers are reported at once',
  () => {
    const { status, output } = run(['new', 'family', '--schemas', directory, '--template', 'fee', '--name', 'garage'])
    expect(status).not.toBe(0)
    for (const flag of ['--parameter-cn', '--parameter-en', '--parameter-key']) expect(output).toContain(`  ${flag}  `)
  },
  240_000,
)
