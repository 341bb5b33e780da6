import { below } from '../../model/pointer.ts'
import type { Label } from '../../model/model.ts'
import type { SourceFile } from '../reading/SourceFile.ts'
import { sections, type ExplainedLine, type Explanation, type Known } from './explained.ts'

interface Template {
  label: Label
  parameters: {
    required?: string[]
    properties: Record<string, { description?: string; default?: unknown }>
  }
  files: Record<string, { as: string; when?: string; each?: string }>
}

/** The templates from which families have generated files, by name. */
const templatesIn = ({ files }: Known): Map<string, SourceFile> =>
  new Map(
    files.flatMap(({ source: { generated } }) =>
      generated?.madeBy ? [[generated.madeBy.name, generated.madeBy]] : [],
    ),
  )

export const templateNames = (known: Known): string[] => [...templatesIn(known).keys()]

/** A template's parameters, the files that it makes of them, and its families. */
export function explainTemplate(name: string, known: Known): Explanation | undefined {
  const { files, where } = known
  const template = templatesIn(known).get(name)
  if (!template) return undefined
  const { label, parameters, files: made } = template.data as Template
  const families = new Set(
    files.flatMap(({ source: { generated } }) => (generated?.madeBy === template ? (generated.families ?? []) : [])),
  )
  const asked = (isRequired: boolean): ExplainedLine[] =>
    Object.entries(parameters.properties)
      .filter(([key]) => (parameters.required ?? []).includes(key) === isRequired)
      .map(([key, { description, default: usual }]) => ({
        text: [
          key,
          ...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`]),
          ...(description === undefined ? [] : [description]),
        ].join(' · '),
        at: where(template, below('/parameters/properties', key), true),
      }))
  return {
    kind: 'template',
    name,
    label,
    at: where(template),
    sections: sections({
      Families: [...families].map((family) => ({ text: family.name, at: where(family) })),
      'A family must say': asked(true),
      'A family may say': asked(false),
      'Makes the files': Object.entries(made).map(([file, { as, when, each }]) => ({
        text: [`${file} as ${as}`, ...(each ? [`for each of ${each}`] : []), ...(when ? [`when ${when}`] : [])].join(
          ', ',
        ),
      })),
    }),
  }
}
