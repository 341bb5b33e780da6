import type { App, Label, NewEntity } from '../../model/model.ts'
import { findNode, treeOf } from '../reading/place.ts'
import type { SourceText } from '../reading/SourceFile.ts'
import type { ExistingFiles } from './ExistingFiles.ts'
import type { Answers, Question } from './Question.ts'
import { written, writtenFile } from './writtenFile.ts'

export const areaQuestions = ({ areas, languages }: App): Question[] => [
  {
    name: 'area',
    text: 'Name of the area (its folder)',
    refuse: (name) =>
      !/^[a-z][a-z0-9]*$/.test(name)
        ? 'A name of small letters and digits is needed.'
        : areas.some((area) => area.name === name)
          ? `There is an area "${name}" already.`
          : undefined,
  },
  ...languages.map((language) => ({ name: `area-${language}`, text: `What the area is called in "${language}"` })),
]

/** Creates an area in app.json, an entity in it, and a screen of every kind that such an entity may have. */
export function areaFiles(answers: Answers, { catalog: { app }, sources, lists }: ExistingFiles): SourceText[] {
  const { area, name, field } = answers
  const label = (prefix: string): Label =>
    Object.fromEntries(app.languages.map((language) => [language, answers[`${prefix}${language}`]]))
  const kinds = Object.values(lists.kinds).filter(({ ofNew }) => ofNew)
  const entity: Omit<NewEntity, 'parent'> = {
    name,
    field,
    label: label(''),
    fieldLabel: label('field-'),
    route: `/${area}/${name.toLowerCase()}`,
  }
  // The others have the one in the menu as their parent.
  const first = kinds.find(({ ofNew }) => ofNew!({ ...entity, parent: '' }).menu !== undefined)!
  const parent = `${name}.${first.kind}`
  const text = sources.find(({ path }) => path.endsWith('app.json'))!.text
  const added = { name: area, label: label('area-'), icon: 'folder' }
  return [
    { path: 'app.json', text: withItem(text, 'areas', added) },
    writtenFile(`${area}/${name}.entity.json`, {
      label: entity.label,
      display: field,
      search: [field],
      fields: { [field]: { type: 'text', required: true, unique: true, label: entity.fieldLabel } },
    }),
    ...kinds.map(({ kind, ofNew }) => writtenFile(`${area}/${name}.${kind}.json`, ofNew!({ ...entity, parent }))),
  ]
}

/** Appends an item to the non-empty list of that name, leaving all other text unchanged. */
function withItem(text: string, list: string, item: object): string {
  const last = findNode(treeOf(text)!, [list])!.children!.at(-1)!
  const end = last.offset + last.length
  const indent = / *$/.exec(text.slice(0, last.offset))![0]
  return `${text.slice(0, end)},\n${indent}${written(item, indent)}${text.slice(end)}`
}
