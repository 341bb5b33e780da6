import type { BroughtFile, ScreenKind } from '../../model/model.ts'
import { lastByLookups } from './lastResults.ts'
import { isObject, type JsonObject } from '../walk.ts'
import type { SourceFile } from '../reading/SourceFile.ts'

interface Made {
  data: JsonObject
  brought: BroughtFile[]
}

/** A screen generates the same files until it, or a file that it reads, is edited. */
const recall = lastByLookups<unknown, Made>()

/** The order of keys is that of columns. */
const isEqual = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Most edits of a file that it reads do not change the generated files; equal ones stay the same object. */
const latest = new WeakMap<object, Made>()
function asBefore(screen: object, made: Made): Made {
  const before = latest.get(screen)
  const result: Made = before
    ? {
        data: isEqual(before.data, made.data) ? before.data : made.data,
        brought: made.brought.map((file, index) => {
          const former = before.brought[index]
          return former && isEqual(former, file) ? former : file
        }),
      }
    : made
  latest.set(screen, result)
  return result
}

/**
 * The files, with those that each screen generates after it. Issues in generated files are reported at the screen's
 * file.
 */
export function withBroughtFiles(
  files: readonly SourceFile[],
  kinds: Readonly<Record<string, ScreenKind>>,
): SourceFile[] {
  const named = new Map<string, unknown>()
  for (const { kind, name, area, data } of files) {
    if (named.has(`${kind} ${name}`)) continue
    named.set(`${kind} ${name}`, data)
    named.set(`area of ${kind} ${name}`, area)
  }
  return files.flatMap((screen) => {
    const kind = Object.hasOwn(kinds, screen.kind) ? kinds[screen.kind] : undefined
    const { name, area, data } = screen
    if (!kind?.brings || !isObject(data)) return [screen]
    const made = recall(
      data,
      (key) => named.get(key),
      (lookUp) => {
        const file = (kindName: string, called: string) => {
          const found = lookUp(`${kindName} ${called}`)
          return isObject(found) ? found : undefined
        }
        const areaOf = (kindName: string, called: string) =>
          lookUp(`area of ${kindName} ${called}`) as string | undefined
        const { keys, files: brought } = kind.brings!({ name, area, data, file, areaOf })
        return asBefore(data, { data: { ...data, ...keys }, brought })
      },
    )
    const origin = () => screen.generated?.origin('') ?? { file: screen, pointer: '', same: false }
    const note = screen.generated?.note ?? `(brought by ${screen.path})`
    return [
      { ...screen, data: made.data },
      ...made.brought.map((file): SourceFile => ({
        ...screen,
        ...file,
        generated: { note, brought: true, origin, families: screen.generated?.families },
      })),
    ]
  })
}
