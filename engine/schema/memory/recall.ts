import type { Report } from '../issues/report.ts'

/**
 * How many results are kept of one thing: who goes back to an earlier text of a file finds what was made of it then.
 */
export const kept = 4

/**
 * The last results by what they were made of, told apart as objects. A run that complained is not kept: what is wrong
 * is told each time, where it stands now.
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
 * What is made of an object and of what it asks for by name: the same as before, as long as it is answered the same.
 * `ask` answers now; `run` is given it, noted.
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
