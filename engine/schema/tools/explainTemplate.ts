import { below } from '../../model/pointer.ts'
import type { Label } from '../../model/model.ts'
import type { SourceFile } from '../reading/SourceFile.ts'
import { sections, type ExplainedLine, type Explanation, type Known } from './explained.ts'

interface Parameter {
  description?: string
  default?: unknown
  enum?: unknown[]
  choiceOf?: string
  like?: string
  required?: string[]
  properties?: Record<string, Parameter>
  items?: Parameter
}
interface Template {
  label: Label
  parameters: Parameter
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
  const parameterLines = parametersIn(parameters).map(({ path, pointer, isRequired, ...parameter }) => ({
    isRequired,
    text: [path, ...termsOf(parameter)].join(' · '),
    at: where(template, `/parameters${pointer}`, true),
  }))
  const lines = (isRequired: boolean): ExplainedLine[] =>
    parameterLines.filter((each) => each.isRequired === isRequired).map(({ text, at }) => ({ text, at }))
  return {
    kind: 'template',
    name,
    label,
    at: where(template),
    sections: sections({
      Families: [...families].map((family) => ({ text: family.name, at: where(family) })),
      'A family must say': lines(true),
      'A family may say': lines(false),
      'Makes the files': Object.entries(made).map(([file, { as, when, each }]) => ({
        text: [`${file} as ${as}`, ...(each ? [`for each of ${each}`] : []), ...(when ? [`when ${when}`] : [])].join(
          ', ',
        ),
      })),
    }),
  }
}

interface Found extends Parameter {
  path: string
  pointer: string
  /** Whether it is required whenever its parent key is present. */
  isRequired: boolean
}

/** All keys, each before those inside it. */
function parametersIn({ properties = {}, items, required = [] }: Parameter, path = '', pointer = ''): Found[] {
  if (items) return parametersIn(items, path, `${pointer}/items`)
  return Object.entries(properties).flatMap(([key, parameter]) => {
    const own = { path: path + key, pointer: below(`${pointer}/properties`, key) }
    return [
      { ...parameter, ...own, isRequired: required.includes(key) },
      ...parametersIn(parameter, `${own.path} › `, own.pointer),
    ]
  })
}

const termsOf = ({ default: usual, enum: values, choiceOf, like, description }: Parameter): string[] => [
  ...(values === undefined ? [] : [values.join(' | ')]),
  ...(choiceOf === undefined ? [] : [`one of ${choiceOf}`]),
  ...(like === undefined ? [] : [`as ${like}`]),
  ...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`]),
  ...(description === undefined ? [] : [description]),
]
