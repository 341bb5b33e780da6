import { closeKeys, hasClosedKeys } from '../../expression/index.ts'
import type { Value } from '../../model/model.ts'
import { below } from '../../model/pointer.ts'
import { isObject, type JsonObject } from '../walk.ts'
import type { SourceFile } from '../reading/SourceFile.ts'

interface Written {
  value: string
  label: Record<string, string>
}

/** The dictionaries that families add to. */
export const grownDictionaries = (files: readonly SourceFile[]): SourceFile[] =>
  files.filter(({ kind, text, broken }) => kind === 'dictionary' && !broken && text.includes('families.'))

/**
 * The values that `"newChoiceOf": "feeItem"` adds to that dictionary. An existing value with the same label is the
 * same; with another label it is reported.
 */
export function knownChoices(
  given: Value,
  root: unknown,
  dictionaries: readonly SourceFile[],
  report: (pointer: string, message: string) => void,
): Value {
  const visit = (value: Value, shape: unknown, pointer: string): Value => {
    if (!isObject(shape)) return value
    if (Array.isArray(value)) return value.map((item, index) => visit(item, shape.items, below(pointer, index)))
    if (!isObject(value)) return value
    const own = value as JsonObject & Record<string, Value>
    const branches = [shape, ...(Array.isArray(shape.anyOf) ? shape.anyOf.filter(isObject) : [])]
    for (const { newChoiceOf } of branches) {
      const known = typeof newChoiceOf === 'string' && writtenIn(newChoiceOf, own.value)
      if (!known) continue
      const { label } = known
      if (Object.keys(label).some((language) => own[language] !== label[language]))
        report(
          below(pointer, 'value'),
          [
            `${String(newChoiceOf)} has "${known.value}" already, called ${Object.values(label).join(', ')}`,
            'name it alone, or bring another value',
          ].join(': '),
        )
      return known.value
    }
    const shapes: JsonObject = isObject(shape.properties) ? shape.properties : {}
    const visited = Object.fromEntries(
      Object.entries(own).map(([key, item]) => [key, visit(item, shapes[key], below(pointer, key))]),
    )
    return hasClosedKeys(own) ? closeKeys(visited) : visited
  }
  const writtenIn = (dictionary: string, value: unknown): Written | undefined => {
    const file = dictionaries.find(({ name }) => name === dictionary)
    const choices = (file?.data as { choices?: unknown } | undefined)?.choices
    return (Array.isArray(choices) ? choices : []).find(
      (each: unknown): each is Written => isObject(each) && each.value === value && isObject(each.label),
    )
  }
  return visit(given, root, '/parameters')
}
