import type { Issue } from './issue.ts'

/**
 * A mistake in a template recurs in each family's files; it is reported once, for the first family.
 * @param familiesOf the names of the families that an issue comes from
 */
export function mergeAlike<T extends Issue>(issues: readonly T[], familiesOf: (issue: T) => readonly string[]): T[] {
  const groups = new Map<string, T[]>()
  for (const issue of issues) {
    const { file, line, column, code, message } = issue
    const noted = [...message.matchAll(/(\w+)\.family\.json/g)].map(([, name]) => name)
    const families = [...new Set([...noted, ...familiesOf(issue)])]
    // One family's name may be a prefix of another's.
    const plain = families
      .sort((a, b) => b.length - a.length)
      .reduce((text, name) => text.replaceAll(name, '*'), message)
    const key = families.length ? [file, line, column, code, plain].join('\n') : `${groups.size}`
    groups.set(key, [...(groups.get(key) ?? []), issue])
  }
  return [...groups.values()].map(([first, ...others]) => {
    if (!others.length) return first
    const same = others.length > 1 ? `${others.length} other families` : 'another family'
    return { ...first, message: `${first.message} The same applies to ${same}.` }
  })
}
