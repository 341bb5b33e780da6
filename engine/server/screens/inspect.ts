import { truncateText } from '../../model/truncateText.ts'
import type { FastifyInstance } from 'fastify'
import type { Entity, Inspected, InspectedGroup, ScreenPlan } from '../../model/model.ts'
import { demand, may } from '../identity/access.ts'
import { answer } from '../http/envelope.ts'
import { Refusal } from '../errors.ts'
import type { Origins } from '../../schema/tools/origins.ts'
import type { Context } from '../runtime.ts'

/** The permission to see where the parts of a screen are declared in the files. */
export const inspectPermission = 'setting:schema:inspect'

type Query = { screen?: string; part?: string; name?: string; text?: string }

/**
 * `GET /plans/inspect?screen=&part=&name=`: where a part of a screen is declared in the schema files, and its
 * declaration; `?text=`: where a visible text comes from. Positions in a catalog's files are revealed only here.
 */
export function inspectRoute(api: FastifyInstance): void {
  api.get<{ Querystring: Query }>('/plans/inspect', async ({ context, query }) => {
    demand(context.user, inspectPermission)
    const origins = context.runtime.origins?.(context.derived.catalog.hash)
    if (!origins) throw new Refusal('unknownPath')
    const { screens } = context.derived.catalog
    const screen =
      query.screen !== undefined && Object.hasOwn(screens, query.screen) ? screens[query.screen] : undefined
    if (query.screen !== undefined && !screen) throw new Refusal('unknownScreen')
    const texts = query.text ? origins.textsLike(truncateText(query.text, 500), 12) : []
    return answer({
      ...(screen
        ? inspected(context, origins, screen, query.part ?? 'screen', query.name ?? '')
        : { groups: [], permissions: [] }),
      texts,
    } satisfies Inspected)
  })
}

/** The lists of a screen's file that contain a kind of part. */
const listsOf: Record<string, readonly string[]> = {
  field: ['fields', 'facts', 'columns', 'show', 'form'],
  column: ['columns', 'fields'],
  filter: ['filters'],
  action: ['actions', 'review'],
}

function inspected(
  context: Context,
  origins: Origins,
  screen: ScreenPlan,
  part: string,
  name: string,
): Pick<Inspected, 'groups' | 'permissions'> {
  const { catalog } = context.derived
  const stem = screen.name.slice(0, -screen.kind.length - 1)
  const entity = screen.entity === undefined ? undefined : catalog.entities[screen.entity]
  const group = (subject: InspectedGroup['of'], kind: string, file: string, pointer: string): InspectedGroup[] => {
    const place = origins.valueAt(kind, file, pointer) === undefined ? undefined : origins.place(kind, file, pointer)
    return place ? [{ of: subject, place, keys: origins.keysAt(kind, file, pointer) }] : []
  }
  const onScreen = (subject: 'screen' | 'action') =>
    origins
      .itemsOf(screen.kind, stem, listsOf[part] ?? [], name)
      .flatMap((pointer) => group(subject, screen.kind, stem, pointer))
  const permissions = (values: string[]) =>
    [...new Set(values)].map((value) => ({
      value,
      label: catalog.permissions.find((permission) => permission.value === value)?.label ?? { cn: value, en: value },
      granted: may(context.user, value),
    }))

  if (part === 'action') {
    return {
      groups: [...onScreen('action'), ...(entity ? ofAction(entity, name, group) : [])],
      permissions: permissions(
        actionsIn(screen)
          .filter((action) => action.name === name)
          .map(({ permission }) => permission),
      ),
    }
  }
  if (entity && Object.hasOwn(entity.fields, name) && part !== 'screen' && part !== 'menu') {
    return {
      groups: [...onScreen('screen'), ...ofField(context, entity, name, group)],
      permissions: permissions([
        entity.permissions.view,
        ...(entity.fields[name].sensitive ? [entity.permissions.viewSensitive] : []),
      ]),
    }
  }
  const at = part === 'menu' ? '/menu' : ''
  const [whole] = group('screen', screen.kind, stem, at)
  // The parts of a screen are long, and are inspected individually.
  const keys = whole?.keys.filter(({ text }) => text.length < 300) ?? []
  return {
    groups: whole ? [{ ...whole, of: part === 'menu' ? 'menu' : 'screen', keys }] : [],
    permissions: permissions(screen.opens ?? [screen.permission]),
  }
}

type Group = (subject: InspectedGroup['of'], kind: string, file: string, pointer: string) => InspectedGroup[]

function ofField({ derived }: Context, entity: Entity, name: string, group: Group): InspectedGroup[] {
  const field = entity.fields[name]
  const dictionary = derived.widget(field).dictionary?.(field.options)
  return [
    ...group('field', 'entity', entity.name, `/fields/${name}`),
    ...entity.rules.flatMap(({ at }, index) =>
      at === name ? group('rule', 'entity', entity.name, `/rules/${index}`) : [],
    ),
    ...entity.limits.flatMap(({ at }, index) =>
      at === name ? group('limit', 'entity', entity.name, `/limits/${index}`) : [],
    ),
    ...(dictionary === undefined
      ? []
      : group('dictionary', 'dictionary', dictionary, '/choices').map((each) => ({ ...each, keys: [] }))),
  ]
}

const allowed: Record<string, string> = { create: 'create', edit: 'update', delete: 'delete' }

function ofAction(entity: Entity, name: string, group: Group): InspectedGroup[] {
  const [word] = name.split(':')
  return [
    ...entity.states.flatMap((machine, index) =>
      Object.hasOwn(machine.transitions, word)
        ? [
            ...group('transition', 'entity', entity.name, `/states/${index}/transitions/${word}`),
            ...group('transition', 'entity', entity.name, `/states/transitions/${word}`),
          ]
        : [],
    ),
    ...group('action', 'entity', entity.name, `/actions/${word}`),
    ...(Object.hasOwn(allowed, word) ? group('allow', 'entity', entity.name, `/allow/${allowed[word]}`) : []),
  ]
}

/** Every action of a screen, including those of its variants and dialogs. */
function actionsIn(value: unknown): { name: string; permission: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const { name, permission, do: run } = value as { name?: unknown; permission?: unknown; do?: unknown }
  const own =
    typeof name === 'string' && typeof permission === 'string' && run !== undefined ? [{ name, permission }] : []
  return [...own, ...Object.values(value).flatMap(actionsIn)]
}
