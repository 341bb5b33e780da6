import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

export interface FileResult {
  /** The path in the project. */
  file: string
  milliseconds: number
  tests: number
  failed: string[]
}

/** Writes the duration and the failed tests of each test file to the file that FILE_REPORT names. */
export default class FileReport implements Reporter {
  private readonly results = new Map<string, FileResult>()

  onTestModuleEnd(module: TestModule): void {
    const { duration, collectDuration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic()
    const tests = [...module.children.allTests()]
    const broken = module.errors().length + [...module.children.allSuites()].flatMap((suite) => suite.errors()).length
    this.results.set(module.relativeModuleId, {
      file: module.relativeModuleId,
      milliseconds: duration + collectDuration + environmentSetupDuration + prepareDuration + setupDuration,
      tests: tests.length,
      failed: [
        ...tests.filter((test) => test.result().state === 'failed').map((test) => test.fullName),
        ...(broken > 0 ? ['(the file itself)'] : []),
      ],
    })
    writeFileSync(process.env.FILE_REPORT!, JSON.stringify([...this.results.values()]))
  }
}
