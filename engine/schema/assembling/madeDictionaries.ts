import { icons } from '../../model/icons.ts'
import { loggedOperations } from '../language/log.ts'
import { declaredAreas, declaredEntities, declaredIcons, declaredOperations } from '../../model/model.ts'
import type { App, Choice, Dictionary, Label } from '../../model/model.ts'
import { lastMade } from '../memory/lastResults.ts'
import { namedActions } from '../linking/permissions.ts'
import type { NamedEntity } from '../named.ts'

const recall = lastMade<Dictionary[]>()

/**
 * Dictionaries generated from what the files declare. They may grow, because a log remembers values that were removed.
 */
export const madeDictionaries = (
  app: Pick<App, 'areas'> | undefined,
  entities: readonly NamedEntity[],
): readonly Dictionary[] => recall([app?.areas, ...entities], () => makeDictionaries(app?.areas ?? [], entities))

const makeDictionaries = (areas: App['areas'], entities: readonly NamedEntity[]): Dictionary[] => [
  made(
    declaredAreas,
    { cn: '业务领域', en: 'Areas' },
    areas.map(({ name, label }) => ({ value: name, label })),
  ),
  made(
    declaredEntities,
    { cn: '对象', en: 'Entities' },
    entities.map(({ name, value }) => ({ value: name, label: value.label as Label })),
  ),
  made(declaredOperations, { cn: '操作', en: 'Operations' }, [
    ...Object.entries(loggedOperations).map(([value, label]) => ({ value, label })),
    ...entities.flatMap((entity) =>
      Object.entries(namedActions(entity)).map(([value, { label }]) => ({ value, label: label as Label })),
    ),
  ]),
  made(
    declaredIcons,
    { cn: '图标', en: 'Icons' },
    Object.entries(icons).map(([value, label]) => ({ value, label })),
  ),
]

/** For names that several entities share, the first entity's words win. */
function made(name: string, label: Label, choices: Choice[]): Dictionary {
  const seen = new Set<string>()
  const isFirst = ({ value }: Choice) => !seen.has(value) && seen.add(value)
  return { name, label, mayGrow: true, choices: choices.filter(isFirst) }
}
