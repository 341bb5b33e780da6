import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Break } from './choose.ts'
import { placesOf } from './places.ts'

const root = path.resolve(import.meta.dirname, '../..')
export const breaksOf = (): Break[] => JSON.parse(readFileSync(path.join(import.meta.dirname, 'breaks.json'), 'utf8'))

/**
 * Makes a copy of the project in which every break stands beside the code that it replaces, and an environment variable
 * selects one.
 * @returns the ids of the breaks that the sources no longer have
 */
export function weave(folder: string): number[] {
  rmSync(folder, { recursive: true, force: true })
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true })
    cpSync(path.join(root, file), path.join(folder, file))
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  const gone: number[] = []
  const all = breaksOf()
  for (const file of new Set(all.map((each) => each.file))) {
    const woven = all
      .filter((each) => each.file === file)
      .toSorted((a, b) => b.start - a.start)
      .reduce(
        (source, each) => {
          const start = nearest(file, source, each)
          if (start === undefined) gone.push(each.id)
          return start === undefined ? source : wovenAt(source, start, each)
        },
        readFileSync(path.join(folder, file), 'utf8'),
      )
    const door = path.relative(path.dirname(file), 'tests/breaks/broken.ts')
    writeFileSync(path.join(folder, file), `import { broken as isBroken } from '${door}'\n${woven}`)
  }
  edit(
    path.join(folder, 'tests/projects.ts'),
    "globalSetup: ['tests/globalSetup.ts']",
    "setupFiles: ['tests/breaks/setup.ts'], globalSetup: ['tests/globalSetup.ts']",
  )
  edit(
    path.join(folder, 'tests/projects.ts'),
    "setupFiles: ['tests/visibility.ts']",
    "setupFiles: ['tests/breaks/setup.ts', 'tests/visibility.ts']",
  )
  edit(
    path.join(folder, 'tests/projects.ts'),
    "setupFiles: ['tests/journeys/eachFile.ts']",
    "setupFiles: ['tests/breaks/setup.ts', 'tests/journeys/eachFile.ts']",
  )
  // Pages report on their console which breaks they reach, and receive the id of the broken one.
  edit(
    path.join(folder, 'tests/journeys/app.ts'),
    "  page.on('pageerror'",
    `  page.on('console', (message) => {
    const reached = /^reached (\\d+)$/.exec(message.text())
    if (reached && process.env.REACHED) appendFileSync(process.env.REACHED, reached[1] + '\\n')
  })
  await page.addInitScript((id) => { (globalThis as { formworkBreak?: number }).formworkBreak = id }, Number(process.env.BREAK))
  page.on('pageerror'`,
  )
  edit(
    path.join(folder, 'tests/journeys/app.ts'),
    'import path from',
    "import { appendFileSync } from 'node:fs'\nimport path from",
  )
  return gone
}

function wovenAt(source: string, start: number, { id, kind, text, broken }: Break): string {
  // A line that starts with a parenthesis would continue the line before it.
  const begin = kind === 'call' ? 'void ' : ''
  return `${source.slice(0, start)}${begin}(isBroken(${id}) ? (${broken}) : (${text}))${source.slice(start + text.length)}`
}

/** The position of the same expression now, as near as possible to where it was. */
export function nearest(file: string, source: string, { start, kind, text }: Break): number | undefined {
  const found = placesOf(file, source).filter((place) => place.kind === kind && place.text === text)
  // Breaks written by hand are not among the places that can be chosen at random.
  const places = found.length > 0 ? found.map((place) => place.start) : [source.indexOf(text)].filter((at) => at >= 0)
  return places.toSorted((a, b) => Math.abs(a - start) - Math.abs(b - start))[0]
}

function edit(file: string, what: string, by: string): void {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(what)) throw new Error(`${file} no longer has: ${what}`)
  writeFileSync(
    file,
    text.replaceAll(what, () => by),
  )
}
