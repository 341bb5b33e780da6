import type { SourceFile } from '../reading/SourceFile.ts'
import { isObject } from '../walk.ts'

/**
 * The fields that a template's file declares for some families only, in `$each`: by name, or as a pattern. Values of the
 * template that it names there are followed.
 */
export function optionalFields(file: SourceFile, template: SourceFile | undefined): ReadonlySet<string> {
  const values = isObject(template?.data) && isObject(template.data.values) ? template.data.values : {}
  const found = new Set<string>()
  const followed = new Set<string>()
  const inText = (text: string) => {
    for (const [, name] of text.matchAll(/'(\w+)'/g)) found.add(name)
    for (const [word] of text.matchAll(/\w+/g)) {
      if (!Object.hasOwn(values, word) || followed.has(word)) continue
      followed.add(word)
      visit(values[word])
    }
  }
  const visit = (value: unknown): void => {
    if (typeof value === 'string') return inText(value)
    if (typeof value !== 'object' || value === null) return
    const { $key: key, $each: each } = value as Record<string, unknown>
    if (typeof key === 'string' && typeof each === 'string') {
      const pattern = key.replace(/\$\{[^}]*\}/g, '*')
      if (pattern === '*') inText(each)
      else found.add(pattern)
      return
    }
    for (const item of Object.values(value)) visit(item)
  }
  visit(isObject(file.data) && isObject(file.data.fields) ? file.data.fields.$each : undefined)
  return found
}
