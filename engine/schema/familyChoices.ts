import type { Family } from './family.ts'
import type { TemplateFile } from './files.ts'
import { offer } from './issue.ts'
import type { Names } from './names.ts'
import { below } from './pointer.ts'
import type { Report } from './report.ts'
import { isObject } from './walk.ts'

/**
 * Checks parameters with `"choiceOf": "feeItem"` against that dictionary, once the families have added their values to
 * it.
 */
export function checkFamilyChoices(families: readonly Family[], names: Names, report: Report): void {
  for (const { source, template } of families) {
    const visit = (value: unknown, shape: unknown, pointer: string): void => {
      if (!isObject(shape) || value === undefined || value === null) return
      for (const branch of Array.isArray(shape.anyOf) ? shape.anyOf : []) visit(value, branch, pointer)
      if (typeof shape.choiceOf === 'string' && typeof value === 'string') {
        const dictionary = names.dictionaries[shape.choiceOf]
        if (dictionary?.sound && !dictionary.mayGrow && !dictionary.values.includes(value))
          report(source, pointer, 'unknown-choice', {
            ...offer(value, dictionary.values),
            dictionary: dictionary.name,
            see: dictionary.source.path,
          })
      }
      if (Array.isArray(value))
        for (const [index, item] of value.entries()) visit(item, shape.items, below(pointer, index))
      else if (isObject(value) && isObject(shape.properties))
        for (const [key, item] of Object.entries(value)) visit(item, shape.properties[key], below(pointer, key))
    }
    visit(
      (source.data as { parameters?: unknown }).parameters,
      (template.data as TemplateFile).parameters,
      '/parameters',
    )
  }
}
