import type { Compiled } from '../engine/schema/compile.ts'
import { printIssue } from '../engine/schema/issues/issue.ts'
import { watchFolders } from './watchFolders.ts'

/**
 * The compiled schema files, as soon as they have no issues. Until then their issues are reported after each change.
 */
export function whenValid(
  directory: string,
  compile: () => Compiled,
  report: (text: string) => void = console.error,
): Promise<Compiled> {
  return new Promise((resolve, reject) => {
    // Watched before they are read, so that no change is missed in between.
    const unwatch = watchFolders(directory, look)
    function look(): void {
      try {
        const compiled = compile()
        if (!compiled.catalog)
          return report([...compiled.issues.map(printIssue), `Waiting for changes in ${directory}.`].join('\n\n'))
        unwatch()
        resolve(compiled)
      } catch (error) {
        unwatch()
        reject(error as Error)
      }
    }
    look()
  })
}
