import type { Report } from '../issues/report.ts'

/** How many results are kept of one thing, so that returning to an earlier text of a file finds its result. */
export const kept = 4

/**
 * The last results by their inputs, which are compared as objects. A run with issues is not kept, so that its issues are
 * reported each time, where they are now.
 */
export function lastOf<T>(): (inputs: readonly unknown[], report: Report, run: (report: Report) => T) => T {
  let known: { inputs: readonly unknown[]; result: T }[] = []
  return (inputs, report, run) => {
    const before = known.find(
      (one) => one.inputs.length === inputs.length && one.inputs.every((input, index) => input === inputs[index]),
    )
    if (before) return before.result
    let isClean = true
    const result = run((...fault) => {
      isClean = false
      report(...fault)
    })
    if (isClean) known = [{ inputs, result }, ...known].slice(0, kept)
    return result
  }
}

/**
 * The result made of an object and of what it asks for by name, reused as long as every answer is the same.
 * @param ask answers now
 * @param run asks through a function that notes the answers
 */
export function asking<Answer, T>(): (
  of: object,
  ask: (name: string) => Answer,
  run: (ask: (name: string) => Answer) => T,
) => T {
  const known = new WeakMap<object, { asked: Map<string, Answer>; result: T }>()
  return (of, ask, run) => {
    const before = known.get(of)
    if (before && [...before.asked].every(([name, answer]) => ask(name) === answer)) return before.result
    const asked = new Map<string, Answer>()
    const result = run((name) => {
      const answer = ask(name)
      asked.set(name, answer)
      return answer
    })
    known.set(of, { asked, result })
    return result
  }
}
