import type { ScreenKind } from './model.ts'
import type { SourceFile } from './read.ts'
import { isObject } from './walk.ts'

/** The files, and after each screen those that it brings. What is wrong with one of those is told at the screen's file. */
export function bring(files: readonly SourceFile[], kinds: Readonly<Record<string, ScreenKind>>): SourceFile[] {
  const find = (kind: string, name: string) => {
    const data = files.find((file) => file.kind === kind && file.name === name)?.data
    return isObject(data) ? data : undefined
  }
  return files.flatMap((screen) => {
    const kind = Object.hasOwn(kinds, screen.kind) ? kinds[screen.kind] : undefined
    if (!kind?.brings || !isObject(screen.data)) return [screen]
    const { keys, files: brought } = kind.brings({ name: screen.name, area: screen.area, data: screen.data, file: find })
    const origin = () => screen.generated?.origin('') ?? { file: screen, pointer: '', same: false }
    const note = screen.generated?.note ?? `(brought by ${screen.path})`
    return [
      { ...screen, data: { ...screen.data, ...keys } },
      ...brought.map((file): SourceFile => ({ ...screen, ...file, generated: { note, origin } })),
    ]
  })
}
