import { isName, nearestName } from '../../expression/index.ts'
import type { App, Entity, ScreenPlan } from '../../model/model.ts'
import { parameterQuestions, parametersOf, type Around } from './newParameters.ts'
import { reservedFields } from '../language/standard.ts'
import type { ExistingFiles } from './ExistingFiles.ts'
import { areaFiles, areaQuestions } from './newArea.ts'
import { writtenFile } from './writtenFile.ts'
import { isWritable } from '../../expression/verdict.ts'
import type { SourceText } from '../reading/SourceFile.ts'
import type { Question, Answers } from './Question.ts'

export const novelties = ['area', 'entity', 'screen', 'family'] as const
export type Novelty = (typeof novelties)[number]

/** The first unanswered question; undefined if all are answered. */
export const nextQuestion = (what: Novelty, answers: Answers, ground: ExistingFiles): Question | undefined =>
  questions[what](answers, ground).find(({ name }) => answers[name] === undefined)

/** All questions that these answers lead to. */
export const questionsOf = (what: Novelty, answers: Answers, ground: ExistingFiles): Question[] =>
  questions[what]({ route: '/', ...answers }, ground)

/** Why an answer to the question is invalid; undefined if it is valid. */
export function refusal({ choices, optional, refuse }: Question, answer: string): string | undefined {
  if (answer === '') return optional ? undefined : 'An answer is needed.'
  if (choices && !choices.includes(answer)) {
    const near = nearestName(answer, choices)
    return near === undefined
      ? `"${answer}" is none of ${choices.join(', ')}.`
      : `"${answer}" is none of them. Did you mean "${near}"?`
  }
  return refuse?.(answer)
}

/** The new files made from the answers; paths are relative to the schemas folder. */
export const newFiles = (what: Novelty, answers: Answers, ground: ExistingFiles): SourceText[] =>
  makers[what](answers, ground)

const named =
  (kind: string, { sources }: ExistingFiles) =>
  (name: string): string | undefined =>
    !/^[a-z][A-Za-z0-9]*$/.test(name)
      ? 'A name starts with a small letter and goes on with letters and digits.'
      : sources.some(({ path }) => path.endsWith(`/${name}.${kind}.json`))
        ? `There is ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} "${name}" already.`
        : undefined

const areaQuestion = ({ areas }: App, suggested?: string): Question => ({
  name: 'area',
  text: 'Area (folder)',
  choices: areas.map(({ name }) => name),
  ...(suggested !== undefined && { suggested }),
})

const labelQuestions = ({ languages }: App, what: string, suggested: Answers = {}): Question[] =>
  languages.map((name) => ({
    name,
    text: `${what} in "${name}"`,
    ...(suggested[name] !== undefined && { suggested: suggested[name] }),
  }))

/** The questions for an entity with one field. */
const entityQuestions = (ground: ExistingFiles): Question[] => [
  ...labelQuestions(ground.catalog.app, 'What one record is called'),
  {
    name: 'field',
    text: 'Its first field, by which people know a record',
    suggested: 'name',
    refuse: (name) =>
      reservedFields.includes(name) || !isName(name) || !/^[a-z][A-Za-z0-9]{0,49}$/.test(name)
        ? `"${name}" cannot be the name of a field.`
        : undefined,
  },
  ...labelQuestions(ground.catalog.app, 'What that field is called').map((question) => ({
    ...question,
    name: `field-${question.name}`,
  })),
]

function smallestOf(
  kind: string,
  entity: Entity,
  { catalog: { screens }, lists }: ExistingFiles,
): Record<string, unknown> {
  const widgets = lists.widgets as Parameters<typeof isWritable>[1]
  const writable = Object.values(entity.fields)
    .filter((field) => isWritable(field, widgets))
    .map((field) => field.name)
  const offered = Object.values(screens)
    .filter((screen) => screen.entity === entity.name)
    .flatMap((screen) => offeredBy(screen, lists))
  const imports = Object.values(screens).find(
    ({ kind, body }) => kind === 'imports' && (body as { import?: { into?: string } }).import?.into === entity.name,
  )
  return lists.kinds[kind]?.smallest?.(entity, { writable, offered, ...(imports && { imports: imports.name }) }) ?? {}
}

/** Whether the menu can open some screen of the kind, if its entity is not known yet. */
const mayOpen = (kind: string | undefined, entity: Entity | undefined, ground: ExistingFiles): boolean =>
  kind === undefined ||
  (entity ? [entity] : Object.values(ground.catalog.entities)).some((each) => isOpened(kind, each, ground))

/** Only an imported entity has import rows to show. */
const mayHave = (kind: string | undefined, entity: Entity, ground: ExistingFiles): boolean =>
  kind === undefined || !ground.lists.kinds[kind]?.smallest || Object.keys(smallestOf(kind, entity, ground)).length > 0

/** Whether the menu can open it: a menu entry has no record. */
const isOpened = (kind: string, entity: Entity, ground: ExistingFiles) =>
  smallestOf(kind, entity, ground).parameters === undefined

const questions: Record<Novelty, (answers: Answers, ground: ExistingFiles) => Question[]> = {
  area: (_, ground) => [
    ...areaQuestions(ground.catalog.app),
    { name: 'name', text: 'Name of its first entity (its file, its table)', refuse: named('entity', ground) },
    ...entityQuestions(ground),
  ],
  entity: (_, ground) => [
    { name: 'name', text: 'Name of the entity (its file, its table)', refuse: named('entity', ground) },
    areaQuestion(ground.catalog.app),
    ...entityQuestions(ground),
  ],
  screen(answers, ground) {
    const {
      catalog: { app, entities, routes },
      lists,
    } = ground
    const made = Object.values(lists.kinds)
      .filter(({ smallest }) => smallest)
      .map(({ kind }) => kind)
    const entity: Entity | undefined = Object.hasOwn(entities, answers.entity ?? '')
      ? entities[answers.entity]
      : undefined
    return [
      { name: 'kind', text: 'Kind of screen', choices: made, suggested: made.includes('list') ? 'list' : made[0] },
      {
        name: 'entity',
        text: 'Entity whose records it is about',
        choices: Object.keys(entities).filter((name) => mayHave(answers.kind, entities[name], ground)),
      },
      {
        name: 'name',
        text: 'Name of the screen (its file)',
        ...(answers.entity && { suggested: answers.entity }),
        refuse: named(answers.kind ?? '', ground),
      },
      areaQuestion(app, entity?.area),
      {
        name: 'route',
        text: 'Route, or nothing if other screens open it',
        optional: true,
        refuse: (route) =>
          !/^\/[A-Za-z0-9/_-]+$/.test(route)
            ? 'A route begins with / and goes on with letters, digits, - and _.'
            : Object.hasOwn(routes, route)
              ? `The route belongs to ${routes[route]}.`
              : undefined,
      },
      ...(answers.route && mayOpen(answers.kind, entity, ground)
        ? [
            {
              name: 'menu',
              text: 'Place in the menu (a number; only for what needs no record), or nothing',
              optional: true,
              refuse: (order: string) => (/^\d+$/.test(order) ? undefined : 'A whole number is needed.'),
            },
          ]
        : []),
      ...labelQuestions(app, 'Title', entity?.label),
    ]
  },
  family(answers, ground) {
    const templates = templatesOf(ground)
    const template = templates.find(({ name }) => name === answers.template)
    return [
      {
        name: 'template',
        text: 'Template',
        choices: templates.map(({ name }) => name),
        ...(templates.length === 1 && { suggested: templates[0].name }),
      },
      { name: 'name', text: 'Name of the family (its file)', refuse: named('family', ground) },
      ...(template ? parameterQuestions(template.shape, answers, nextPlace(template, ground), aroundOf(ground)) : []),
    ]
  },
}

interface Template {
  name: string
  area: string
  order?: string
  shape: unknown
}

const templatesOf = ({ sources }: ExistingFiles): Template[] =>
  sources
    .filter(({ path }) => path.endsWith('.template.json'))
    .map(({ path, text }) => {
      const { area, order, parameters } = JSON.parse(text) as { area: string; order?: string; parameters: unknown }
      return {
        name: path.split('/').at(-1)!.split('.')[0],
        area,
        ...(order !== undefined && { order }),
        shape: parameters,
      }
    })

const aroundOf = ({ catalog: { app, dictionaries, families } }: ExistingFiles): Around => ({
  languages: app.languages,
  valuesOf: ({ choiceOf, keyOf }) =>
    typeof choiceOf === 'string'
      ? dictionaries[choiceOf]?.choices.map(({ value }) => value)
      : typeof keyOf === 'string'
        ? families[keyOf]?.map(({ key }) => String(key))
        : undefined,
})

/** A new family comes after all others. */
function nextPlace({ name, order }: Template, { catalog: { families } }: ExistingFiles): Answers {
  const places =
    Object.hasOwn(families, name) && order !== undefined ? families[name].map((family) => Number(family[order])) : []
  return places.length > 0 && places.every(Number.isInteger)
    ? { [`parameter-${order}`]: String(Math.max(...places) + 1) }
    : {}
}

const offeredBy = (screen: ScreenPlan, lists: ExistingFiles['lists']): string[] =>
  screen.variants
    ? Object.values(screen.variants.plans).flatMap((plan) => offeredBy(plan, lists))
    : [lists.kinds[screen.kind].offers?.(screen.body) ?? screen.kind]

const makers: Record<Novelty, (answers: Answers, ground: ExistingFiles) => SourceText[]> = {
  area: areaFiles,
  entity(answers, { catalog: { app } }) {
    const label = (prefix = '') =>
      Object.fromEntries(app.languages.map((language) => [language, answers[`${prefix}${language}`]]))
    const { name, area, field } = answers
    return [
      writtenFile(`${area}/${name}.entity.json`, {
        label: label(),
        display: field,
        search: [field],
        fields: { [field]: { type: 'text', required: true, label: label('field-') } },
      }),
    ]
  },
  screen(answers, ground) {
    const {
      catalog: { app, entities },
      lists,
    } = ground
    const { kind, name, area, route, menu } = answers
    const entity = entities[answers.entity]
    const title = Object.fromEntries(app.languages.map((language) => [language, answers[language]]))
    return [
      writtenFile(`${area}/${name}.${kind}.json`, {
        ...(route && { route }),
        ...(!lists.kinds[kind].brings && { entity: entity.name }),
        title,
        ...(menu && isOpened(kind, entity, ground) && { menu: { order: Number(menu) } }),
        ...smallestOf(kind, entity, ground),
      }),
    ]
  },
  family(answers, ground) {
    const { area, shape } = templatesOf(ground).find(({ name }) => name === answers.template)!
    return [
      writtenFile(`${area}/${answers.name}.family.json`, {
        template: answers.template,
        parameters: parametersOf(shape, answers),
      }),
    ]
  },
}
