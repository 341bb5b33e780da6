import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { dependencies, type Settings } from '../../expression/index.ts'
import { textIn } from '../../model/language.ts'
import type { AppBundle, Entity, EntityPlan, RecordsBlock, ScreenBundle, ScreenPlan } from '../../model/model.ts'
import { isOpenTo, may, mayOpen, seesWhole } from '../identity/access.ts'
import type { Derived } from '../derived.ts'
import { answer } from '../http/envelope.ts'
import { Refusal } from '../errors.ts'
import { readHolders } from '../identity/holders.ts'
import { searchText } from '../records/reading/pinyin.ts'
import type { Context, Runtime } from '../runtime.ts'

export function planRoutes(api: FastifyInstance): void {
  // A page that is being opened names its route, and gets the plan of its screen without requesting it later.
  api.get<{ Querystring: { route?: string } }>('/plans/app', async (request, reply) => {
    const { context, query } = request
    const { app, routes, screens } = context.derived.catalog
    const route = query.route === '/' ? app.home : query.route
    const screen = route !== undefined && Object.hasOwn(routes, route) ? screens[routes[route]] : undefined
    if (!screen || !mayOpen(context.user, screen)) return tagged(request, reply, appBundle(context))
    const [first, preferences] = await Promise.all([openedScreen(context, screen), preferencesFor(context, screen)])
    return tagged(request, reply, { ...appBundle(context), first, preferences })
  })

  api.get<{ Querystring: { route?: string; name?: string } }>('/plans/screen', async (request, reply) => {
    const { screens, routes } = request.context.derived.catalog
    const { route, name } = request.query
    const found = route === undefined ? name : Object.hasOwn(routes, route) ? routes[route] : undefined
    if (found === undefined || !Object.hasOwn(screens, found)) throw new Refusal('unknownScreen')
    return tagged(request, reply, await openedScreen(request.context, screens[found]))
  })
}

/** The screen, with who holds the permissions that the user lacks. @throws Refusal permission. */
async function openedScreen(context: Context, plan: ScreenPlan): Promise<ScreenBundle> {
  const bundle = screenBundle(context, plan)
  const refused = Object.keys(bundle.granted).filter((permission) => !bundle.granted[permission])
  return refused.length > 0 ? { ...bundle, holders: await readHolders(context, refused) } : bundle
}

/** The user's own settings of a screen, whose keys end with its name: columns, widths, density. */
async function preferencesFor({ runtime, user }: Context, { name }: ScreenPlan): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ key: string; value: unknown }>`select key, value from system_preference
    where user_id = ${user.id} and split_part(key, ':', 2) = ${name}`.execute(runtime.database.kysely)
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/** What the sign-in page shows before there is a session. */
export function publicPlanRoute(api: FastifyInstance, runtime: Runtime): void {
  api.get('/plans/public', async () => {
    const { title, languages } = runtime.derived.catalog.app
    return answer({ title, languages })
  })
}

/** Answers 304 if the browser already has the same answer. */
function tagged(request: FastifyRequest, reply: FastifyReply, bundle: object) {
  const body = JSON.stringify(answer(bundle))
  const tag = `"${createHash('sha1').update(body).digest('base64url')}"`
  reply.header('etag', tag).header('cache-control', 'private, no-cache').header('vary', 'token, accept-encoding')
  if (request.headers['if-none-match']?.split(/,\s*/).some((known) => known.replace(/^W\//, '') === tag))
    return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

function appBundle({ user, menu: nodes, derived: { catalog } }: Context): AppBundle {
  const { hash, app, screens } = catalog
  const nodeOf = (name: string) => nodes.find(({ code }) => code === name)
  return {
    hash,
    app,
    screens: Object.values(screens)
      .filter((screen) => isOpenTo(user, screen))
      .map((screen) => ({
        ...listedOnce(screen, app.languages[0]),
        noCache: nodeOf(screen.name)?.noCache ?? screen.noCache,
        affix: nodeOf(screen.name)?.affix ?? screen.menu?.affix ?? screen.route === app.home,
      })),
  }
}

type Listed = Omit<AppBundle['screens'][number], 'noCache' | 'affix'>

/** A screen whose file was not edited is the same object in the next catalog. */
const listed = new WeakMap<ScreenPlan, { language: string; screen: Listed }>()

/** The screen as the frame lists it; its words in pinyin take long to compute. */
function listedOnce(plan: ScreenPlan, language: string): Listed {
  const known = listed.get(plan)
  if (known?.language === language) return known.screen
  const { name, kind, area, route, title, parameters, variants, parent, permission, opens } = plan
  const screen = {
    name,
    kind,
    area,
    ...(route !== undefined && { route }),
    title,
    parameters: withVariants(parameters, variants),
    ...(variants && { variants: listedVariants(variants) }),
    ...(parent !== undefined && { parent }),
    permission,
    ...(opens && { opens }),
    keywords: searchText([textIn(title, language)]),
  }
  listed.set(plan, { language, screen })
  return screen
}

const listedVariants = ({ parameter, plans }: NonNullable<ScreenPlan['variants']>): Listed['variants'] => ({
  parameter,
  titles: Object.fromEntries(Object.entries(plans).map(([value, plan]) => [value, plan.title])),
  open: Object.entries(plans).flatMap(([value, plan]) =>
    plan.parameters.every(({ required, name }) => !required || name === parameter) ? [value] : [],
  ),
})

/** A parameter of only some variants belongs to the address too, but is not required. */
function withVariants(
  parameters: ScreenPlan['parameters'],
  variants: ScreenPlan['variants'],
): ScreenPlan['parameters'] {
  const further = new Set(
    Object.values(variants?.plans ?? {}).flatMap((plan) => plan.parameters.map(({ name }) => name)),
  )
  parameters.forEach(({ name }) => further.delete(name))
  return [...parameters, ...[...further].map((name) => ({ name, required: false }))]
}

/** @throws Refusal permission. */
export function screenBundle(context: Context, plan: ScreenPlan): ScreenBundle {
  if (!mayOpen(context.user, plan)) throw new Refusal('permission')
  const { derived, user } = context
  const { catalog } = derived
  const shown = new Set(
    [plan, ...Object.values(plan.variants?.plans ?? {})].flatMap(({ entity, body }) => {
      const { blocks = [], entities: further = [] } = body as { blocks?: RecordsBlock[]; entities?: string[] }
      return [entity ?? [], blocks.map((block) => block.entity), further].flat()
    }),
  )
  const whole = [...new Set([...shown].flatMap((name) => withRows(derived, catalog.entities[name])))]
  const entities = Object.fromEntries(whole.map((entity) => [entity.name, planOf(entity)]))
  for (const target of whole.flatMap((entity) => targetsOf(derived, entity)))
    entities[target.name] ??= namesOnly(target)
  const dictionaries = Object.fromEntries(
    whole
      .flatMap((entity) => Object.values(entity.fields))
      .flatMap((field) => {
        const name = derived.widget(field).dictionary?.(field.options)
        return name === undefined ? [] : [[name, catalog.dictionaries[name]]]
      }),
  )
  const settings = settingsFor(context, { plan, whole }, entities)
  const mentioned = new Set(permissionsIn({ plan, whole }))
  return {
    hash: catalog.hash,
    plan: asSeenBy(context, plan),
    entities,
    dictionaries,
    settings,
    granted: Object.fromEntries([...mentioned].map((permission) => [permission, may(user, permission)])),
  }
}

interface ListBody {
  filters?: { field: string }[]
  columns?: { field: string; sum?: boolean }[]
}

/** Leaves out filters and sums over values masked for the user, because the server would refuse them. */
function asSeenBy(context: Context, plan: ScreenPlan): ScreenPlan {
  const fields = plan.entity === undefined ? {} : context.derived.catalog.entities[plan.entity].fields
  const isSeen = (name: string) =>
    !Object.hasOwn(fields, name) || seesWhole(context, context.derived.catalog.entities[plan.entity!], fields[name])
  const { filters, columns } = plan.body as ListBody
  const variants = plan.variants && {
    ...plan.variants,
    plans: Object.fromEntries(
      Object.entries(plan.variants.plans).map(([value, variant]) => [value, asSeenBy(context, variant as ScreenPlan)]),
    ),
  }
  return {
    ...plan,
    body: {
      ...plan.body,
      ...(Array.isArray(filters) && { filters: filters.filter(({ field }) => isSeen(field)) }),
      ...(Array.isArray(columns) && {
        columns: columns.map((column) => (column.sum && !isSeen(column.field) ? { ...column, sum: false } : column)),
      }),
    },
    ...(variants && { variants }),
  }
}

/** The settings that the expressions in `parts` read; their entities are added to the others. */
function settingsFor({ derived, settings }: Context, parts: object, entities: ScreenBundle['entities']): Settings {
  const read = new Map<string, string[]>()
  for (const [entity, field] of settingsRead(parts)) {
    if (Object.hasOwn(settings[entity] ?? {}, field)) read.set(entity, [...(read.get(entity) ?? []), field])
  }
  return Object.fromEntries(
    [...read].map(([name, fields]) => {
      const entity = derived.catalog.entities[name]
      const only = (whole: object) =>
        Object.fromEntries(Object.entries(whole).filter(([field]) => fields.includes(field)))
      const shown: Entity = { ...entity, fields: only(entity.fields) }
      for (const row of withRows(derived, shown))
        entities[row.name] ??= row === shown ? { ...namesOnly(shown), fields: shown.fields } : planOf(row)
      return [name, only(settings[name])]
    }),
  )
}

/** Every `settings.<entity>.<field>` of an expression anywhere below. */
function settingsRead(value: unknown): string[][] {
  if (typeof value === 'string')
    return value.includes('settings')
      ? usesOf(value)
          .filter(([root, ...path]) => root === 'settings' && path.length === 2)
          .map(([, ...path]) => path)
      : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(settingsRead) : []
}

/** A text that is not an expression reads nothing. */
function usesOf(text: string): string[][] {
  try {
    return dependencies(text).map((name) => name.split('.'))
  } catch {
    return []
  }
}

/** The entity with those of its rows, recursively. */
function withRows(derived: Derived, entity: Entity, known: Entity[] = []): Entity[] {
  if (known.includes(entity)) return []
  return [
    entity,
    ...Object.values(entity.fields).flatMap((field) => {
      const target = derived.target(field)
      return target?.rows ? withRows(derived, target.entity, [...known, entity]) : []
    }),
  ]
}

const targetsOf = (derived: Derived, entity: Entity): Entity[] =>
  Object.values(entity.fields).flatMap((field) => derived.target(field)?.entity ?? [])

const planOf = ({ indexes: _indexes, file: _file, limits: _limits, ...plan }: Entity): EntityPlan => plan

/** For an entity that is only referred to: no more than a reference shows. */
function namesOnly(entity: Entity): EntityPlan {
  const shown = new Set([entity.display, entity.code, entity.tree?.parent])
  return {
    ...planOf(entity),
    rules: [],
    saves: [],
    actions: {},
    states: [],
    fields: Object.fromEntries(Object.entries(entity.fields).filter(([name]) => shown.has(name))),
  }
}

/** Every permission named anywhere below. */
function permissionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'permission' && typeof inner === 'string') return [inner]
    if (key === 'permissions' && typeof inner === 'object' && inner !== null)
      return Object.values(inner).filter((each) => typeof each === 'string')
    return permissionsIn(inner)
  })
}
