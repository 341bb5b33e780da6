import type { Report } from '../issues/report.ts'

/** How many results are cached for each object, so that returning to an earlier text of a file finds its result. */
export const kept = 4

export const isSameList = (array: readonly unknown[], other: readonly unknown[]): boolean =>
  array.length === other.length && array.every((item, index) => item === other[index])

/**
 * The latest results by their inputs, which are compared by identity. A run with issues is not cached, so that its
 * issues are reported each time, at their current positions.
 */
export function lastOf<T>(): (inputs: readonly unknown[], report: Report, run: (report: Report) => T) => T {
  let known: { inputs: readonly unknown[]; result: T }[] = []
  return (inputs, report, run) => {
    const before = known.find((each) => isSameList(each.inputs, inputs))
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

/** The same for what never has an issue. */
export function lastMade<T>(): (inputs: readonly unknown[], make: () => T) => T {
  const recall = lastOf<T>()
  return (inputs, make) => recall(inputs, () => undefined, make)
}

/**
 * The result made from an object and from what it reads by name, reused while every answer is the same.
 * @param lookUp gives the current answer to a name
 * @param run reads through a function that records the answers
 */
export function lastByLookups<Answer, T>(): (
  owner: object,
  lookUp: (name: string) => Answer,
  run: (lookUp: (name: string) => Answer) => T,
) => T {
  const known = new WeakMap<object, { answers: Map<string, Answer>; result: T }>()
  return (owner, lookUp, run) => {
    const before = known.get(owner)
    if (before && [...before.answers].every(([name, answer]) => lookUp(name) === answer)) return before.result
    const answers = new Map<string, Answer>()
    const result = run((name) => {
      const answer = lookUp(name)
      answers.set(name, answer)
      return answer
    })
    known.set(owner, { answers, result })
    return result
  }
}
