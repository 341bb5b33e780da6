import { execFileSync } from 'node:child_process'
import { compile } from '../../../engine/schema/compile.ts'
import { readSchemas } from '../../../engine/server/catalog/sources.ts'
import { lists } from '../../lists.ts'
import { median } from './result.ts'
import type { Result } from './result.ts'

/**
 * The option with which the benchmark starts itself, so that every compile except the edited one is a process's first.
 */
export const compileOption = 'compile-once'

interface Once {
  cold: number
  edited: number
  files: number
}

/** All schema files for the first time in this process, then once more with one label changed. Milliseconds. */
export function compileOnce(): Once {
  const sources = readSchemas()
  const timed = (from: typeof sources) => {
    const start = performance.now()
    const { catalog, issues } = compile(from, lists)
    if (!catalog)
      throw new Error(`The schema files do not compile: ${issues[0].file}:${issues[0].line} ${issues[0].message}`)
    return performance.now() - start
  }
  const cold = timed(sources)
  const changedAt = sources.findIndex(({ path }) => path.endsWith('customer.entity.json'))
  const change = (text: string) => text.replace('"cn": "', '"cn": "新')
  const edited = timed(
    sources.map((source, index) => (index === changedAt ? { ...source, text: change(source.text) } : source)),
  )
  return { cold, edited, files: sources.length }
}

export function measureCompile(script: string, rounds: number): Result[] {
  const samples = Array.from(
    { length: rounds },
    () =>
      JSON.parse(
        execFileSync(process.execPath, ['--import', 'tsx', script, `--${compileOption}`], { encoding: 'utf8' }),
      ) as Once,
  )
  const name = `Compile of ${samples[0].files} schema files`
  const [cold, edited] = [samples.map((sample) => sample.cold), samples.map((sample) => sample.edited)]
  return [
    { name: `${name}, cold`, unit: 'ms', ours: median(cold), samples: { cold } },
    { name: `${name}, after one edit`, unit: 'ms', ours: median(edited), samples: { edited } },
  ]
}
