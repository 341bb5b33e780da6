import './help.ts'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { contentsOf, countPassedWith, importsOf, keepPassed } from './checkInputs.ts'
import { circularFile, downloadSizes, limitOf, overBudget, readManifest, type Released } from './downloadSizes.ts'

/**
 * `npm run check`: the record types, then build, types, lint, import arrows, dead code, schema files, `uses.json`,
 * format, and the download sizes of the sign-in page and of each kind of screen, compared with the last release;
 * `--released` records the current sizes. Every step prints how many files or modules it saw, and one that saw none
 * fails: a lint that silently reads nothing is no lint.
 */

const { values } = parseArgs({ options: { released: { type: 'boolean' } } })
const root = path.resolve(import.meta.dirname, '../..')
const bin = (name: string) => path.join(root, 'node_modules/.bin', name)
const failures: string[] = []

interface Step {
  name: string
  command: string
  parameters: string[]
  /** How many files or modules the step saw, according to its output. */
  seen(output: string): number | undefined
  /** A hash of all that its result depends on: once it has passed, it runs again only when that changes. */
  inputs?(): string
}

async function run({ name, command, parameters, seen, inputs }: Step): Promise<void> {
  const started = performance.now()
  const hash = inputs?.()
  const known = hash === undefined ? undefined : countPassedWith(kept(name), hash)
  if (known !== undefined) return console.log(`ok   ${name.padEnd(12)} ${String(known).padStart(5)} files  unchanged`)
  const { status, output } = await outputOf(command, parameters)
  const count = seen(output) ?? 0
  const passed = status === 0 && count > 0
  if (!passed) {
    failures.push(name)
    console.error(
      output
        .split('\n')
        .filter((line) => !/^\/.*\.(ts|tsx|json)$/.test(line))
        .join('\n')
        .trim(),
    )
    if (status === 0) console.error(`${name} saw no file.`)
  }
  if (passed && hash !== undefined) keepPassed(kept(name), hash, count)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${name.padEnd(12)} ${String(count).padStart(5)} files  ${seconds} s`)
}

function outputOf(command: string, parameters: string[]): Promise<{ status: number | null; output: string }> {
  const child = spawn(command, parameters, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output }))
  })
}

const lastNumber = (pattern: RegExp) => (output: string) => Number(output.match(pattern)?.[1] ?? 0)
const ours = (output: string) =>
  output.split('\n').filter((line) => /^\/.*\.tsx?$/.test(line) && !line.includes('/node_modules/')).length
const node = process.execPath
const tsx = (...parameters: string[]) => ({ command: node, parameters: ['--import', 'tsx', ...parameters] })

/** Where a long step caches its results for the next run; a clean clone has none. */
const kept = (name: string) => path.join('node_modules/.cache/formwork/check', name)

/** Comes first, because the other steps need the record types. */
await run({
  name: 'records',
  ...tsx('src/commands/schemas.ts', 'types'),
  seen: lastNumber(/^(\d+) entities/),
})

/** These steps are independent and run two at a time, the longest first, because each leaves a core idle at times. */
const steps: Step[] = [
  {
    name: 'types',
    command: node,
    parameters: [
      'node_modules/ts7/bin/tsc',
      '-p',
      '.',
      '--listFiles',
      // Its four checkers need two thirds more processor time, which the other step at that time needs.
      '--singleThreaded',
      '--incremental',
      '--tsBuildInfoFile',
      kept('types.tsbuildinfo'),
    ],
    seen: ours,
  },
  {
    name: 'build',
    command: node,
    parameters: ['src/commands/start.js', '--build'],
    seen: () => readdirSync(path.join(root, 'dist/client/assets')).length,
  },
  {
    name: 'lint',
    command: bin('oxlint'),
    parameters: ['--type-aware', 'engine', 'src', 'tests', 'vite.config.ts'],
    seen: lastNumber(/on (\d+) files/),
  },
  {
    name: 'arrows',
    command: bin('depcruise'),
    parameters: ['engine', 'src', 'tests', '--config', '.dependency-cruiser.cjs'],
    seen: lastNumber(/\((\d+) modules/),
    inputs: () => importsOf(sources()) + contentsOf(['.dependency-cruiser.cjs', 'package-lock.json', 'tsconfig.json']),
  },
  {
    name: 'dead code',
    command: bin('knip'),
    parameters: [
      '--no-progress',
      '--no-config-hints',
      '--performance',
      '--cache',
      '--cache-location',
      kept('deadCode'),
    ],
    seen: lastNumber(/^bound getFileDescriptor +(\d+)/m),
  },
  { name: 'schemas', ...tsx('src/commands/schemas.ts', 'check', '--strict'), seen: lastNumber(/(\d+) files/) },
  {
    name: 'uses',
    ...tsx('src/commands/schemas.ts', 'uses', '--check'),
    seen: lastNumber(/^(\d+) procedures/m),
    inputs: () =>
      contentsOf([
        ...sources().filter((file) => /^(engine|src)\//.test(file) && /(?<!\.test)\.ts$/.test(file)),
        'src/procedures/uses.json',
        'package-lock.json',
        'tsconfig.json',
      ]),
  },
  { name: 'format', command: bin('oxfmt'), parameters: ['--check'], seen: lastNumber(/on (\d+) files/) },
]

await Promise.all([1, 2].map(() => rest()))
excuseBudget('typescript/no-explicit-any', 5, sources())
excuseBudget(
  'formwork/record-casts',
  10,
  sources().filter((file) => !/[.]test[.]/.test(file)),
)
excuseBudget(
  'max-lines-per-function',
  8,
  sources().filter((file) => /^(engine|src)\//.test(file)),
)
downloadBudget()
if (failures.length > 0) {
  console.error(`check failed: ${failures.join(', ')}`)
  process.exit(1)
}

/** Runs steps until none is left. */
async function rest(): Promise<void> {
  for (let step = steps.shift(); step; step = steps.shift()) await run(step)
}

function sources(): string[] {
  const walk = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory()
        ? walk(`${folder}/${entry.name}`)
        : /\.tsx?$/.test(entry.name)
          ? [`${folder}/${entry.name}`]
          : [],
    )
  return [...walk('engine'), ...walk('src'), ...walk('tests')]
}

/** Limits how many files may disable a rule, and requires a reason for each. */
function excuseBudget(rule: string, most: number, all: readonly string[]) {
  const files = all.filter((file) =>
    new RegExp(`oxlint-disable\\S* ${rule}`).test(readFileSync(path.join(root, file), 'utf8')),
  )
  const unexplained = files.filter((file) => !readFileSync(path.join(root, file), 'utf8').includes(`${rule} -- `))
  const passed = files.length <= most && unexplained.length === 0
  const name = rule.split('/').at(-1)!
  if (!passed) failures.push(name)
  console.log(
    `${passed ? 'ok  ' : 'FAIL'} ${name.padEnd(12)} ${String(files.length).padStart(5)} files of ${most}: ${files.join(', ')}`,
  )
}

/** Reports downloads that have outgrown their allowance since the last release. */
function downloadBudget() {
  const downloads = downloadSizes(root)
  const file = path.join(root, 'src/commands/released.json')
  if (values.released) {
    const sizes = Object.fromEntries(downloads.map(({ name, kilobytes }) => [name, kilobytes]))
    writeFileSync(file, `${JSON.stringify(sizes, null, 2)}\n`)
  }
  const released = JSON.parse(readFileSync(file, 'utf8')) as Released
  const over = overBudget(downloads, released)
  if (over.length > 0) failures.push('download')
  const sizes = downloads.map(({ name, kilobytes }) => `${name} ${kilobytes}/${limitOf(released, name) ?? '–'}`)
  console.log(`${over.length === 0 ? 'ok  ' : 'FAIL'} download      KB gzip: ${sizes.join(', ')}`)
  over.forEach((each) => console.error(each))
  const circular = circularFile(readManifest(root))
  if (circular === undefined) return
  failures.push('client files')
  console.error(`FAIL client files: ${circular} imports itself through others`)
}
