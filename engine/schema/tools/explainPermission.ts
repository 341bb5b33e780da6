import {
  actionsIn,
  placeOfAction,
  plansOf,
  sections,
  text,
  type ExplainedLine,
  type Explanation,
  type Known,
} from './explained.ts'
import { endpointsOf } from '../../model/operationsOf.ts'
import { textIn } from '../../model/language.ts'
import { pathSeparator, type Permission } from '../../model/model.ts'
import { below } from '../../model/pointer.ts'
import { breaks } from './thing.ts'

/** What a permission allows, where it is declared, and who has it. */
export function explainPermission(permission: Permission, known: Known): Explanation {
  const { catalog, names, where, fileOf } = known
  const { value, label, group } = permission
  const source = known.files.find(({ source: { path } }) => path === names.permissions[value]?.source)?.source
  const endpoints = Object.values(catalog.entities).flatMap((entity) =>
    endpointsOf(entity, fileOf('entity', entity.name)!.source.data)
      .filter((endpoint) => endpoint.permission === value)
      .map(({ method, path, pointer }): ExplainedLine => ({
        text: `${method} ${path}`,
        at: where(fileOf('entity', entity.name)!.source, pointer, true),
      })),
  )
  const screens = Object.values(catalog.screens)
  const opened = screens
    .filter((screen) => plansOf(screen).some((plan) => (plan.opens ?? [plan.permission]).includes(value)))
    .map((screen): ExplainedLine => ({
      text: `${screen.route ?? screen.name} ${text(screen.title)}`,
      at: where(fileOf(screen.kind, screen.name.split('.')[0])!.source),
    }))
  const buttons = screens.flatMap((screen) =>
    [
      ...new Map(
        plansOf(screen)
          .flatMap(({ body }) => actionsIn(body))
          .filter((each) => each.permission === value)
          .map((each) => [each.name, each]),
      ).values(),
    ].map((action): ExplainedLine => ({
      text: `${text(action.label)} on ${screen.route ?? screen.name}`,
      at: placeOfAction(action.name, screen, known),
    })),
  )
  const masked = Object.values(catalog.entities)
    .filter(({ permissions }) => permissions.viewSensitive === value)
    .flatMap(({ name, fields }) =>
      Object.values(fields)
        .filter(({ sensitive }) => sensitive)
        .map((field): ExplainedLine => ({
          text: `${name}.${field.name} ${text(field.label)}`,
          at: where(fileOf('entity', name)!.source, below('/fields', field.name), true),
        })),
    )
  return {
    kind: 'permission',
    name: value,
    label: Object.fromEntries(
      Object.keys(label).map((language) => [
        language,
        `${textIn(group, language)}${pathSeparator}${textIn(label, language)}`,
      ]),
    ),
    ...(source && { at: where(source) }),
    sections: sections({
      'Opens the screens': opened,
      'Shows the buttons': buttons,
      'Answers at the endpoints': endpoints,
      'Shows whole': masked,
      'Who may': known.whoMay(value),
      ...breaks(
        {
          name: value,
          isNamed: ({ shape, value: named }) => shape.names === 'permission' && named === value,
          isInRow: ({ type, options }, named) =>
            names.widgets[type].permissions?.(options) !== undefined && named === value,
        },
        known,
      ),
    }),
  }
}
