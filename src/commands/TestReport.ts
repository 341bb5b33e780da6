import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** The outcome of a test run: full names, prefixed by their files, and the messages of failures. */
export interface TestResult {
  passed: number
  failed: { name: string; message: string }[]
  /** Test file → milliseconds, including loading its modules. */
  costs: Record<string, number>
}

/**
 * Writes the outcome of a run to the file that TEST_REPORT names, so that it can be printed last, after all other
 * output.
 */
export default class TestReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const result: TestResult = {
      passed: 0,
      failed: unhandled.map((error) => ({ name: 'outside a test', message: text(error) })),
      costs: {},
    }
    for (const module of modules) {
      const { duration, collectDuration, environmentSetupDuration, prepareDuration } = module.diagnostic()
      const cost = Math.round(duration + collectDuration + environmentSetupDuration + prepareDuration)
      // The same file may have run on two databases.
      result.costs[module.relativeModuleId] = Math.max(cost, result.costs[module.relativeModuleId] ?? 0)
      for (const error of module.errors()) result.failed.push({ name: module.relativeModuleId, message: text(error) })
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors())
          result.failed.push({ name: `${module.relativeModuleId} > ${suite.fullName}`, message: text(error) })
      }
      for (const test of module.children.allTests()) {
        const name = `${module.relativeModuleId} > ${test.fullName}`
        const { state, errors } = test.result()
        if (state === 'failed') result.failed.push({ name, message: errors?.map(text).join('\nand:\n') ?? '' })
        if (state !== 'passed') continue
        result.passed++
      }
    }
    writeFileSync(process.env.TEST_REPORT ?? 'test-report.json', JSON.stringify(result))
  }
}

interface Failure {
  message: string
  stack?: string
  cause?: unknown
  /** What the pages of a failed journey showed. */
  shown?: string
}

/** Includes its cause: "fetch failed" alone explains nothing. */
export function text({ message, stack, cause, shown }: Failure): string {
  const lines = (stack ?? message)
    .split('\n')
    .filter((line) => !line.includes('/node_modules/'))
    .slice(0, 10)
  const deeper = cause as (Failure & { code?: string }) | undefined
  return [
    ...lines,
    ...(deeper?.message !== undefined
      ? [['caused by', deeper.code, text(deeper)].filter((part) => part !== undefined).join(' ')]
      : []),
    ...(shown ? [shown] : []),
  ].join('\n')
}
