import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppBundle, Catalog, Entity, EntityPlan, RecordsBlock, ScreenBundle, ScreenPlan } from '../schema/model.ts'
import { may, mayOpen } from './access.ts'
import type { Derived } from './derived.ts'
import { answer } from './envelope.ts'
import { Refusal } from './errors.ts'
import { searchText } from './pinyin.ts'
import type { Context, Runtime } from './runtime.ts'

export function planRoutes(api: FastifyInstance): void {
  api.get('/plans/app', async (request, reply) => tagged(request, reply, appBundle(request.context.derived.catalog)))

  api.get<{ Querystring: { route?: string; name?: string } }>('/plans/screen', async (request, reply) => {
    const { screens, routes } = request.context.derived.catalog
    const { route, name } = request.query
    const found = route === undefined ? name : Object.hasOwn(routes, route) ? routes[route] : undefined
    if (found === undefined || !Object.hasOwn(screens, found)) throw new Refusal('unknownScreen')
    return tagged(request, reply, screenBundle(request.context, screens[found]))
  })
}

/** What the sign-in page shows before there is a session. */
export function publicPlanRoute(api: FastifyInstance, runtime: Runtime): void {
  api.get('/plans/public', async () => answer({ title: runtime.derived.catalog.app.title }))
}

/** A browser that has the same answer already is told so. */
function tagged(request: FastifyRequest, reply: FastifyReply, bundle: object) {
  const body = JSON.stringify(answer(bundle))
  const tag = `"${createHash('sha1').update(body).digest('base64url')}"`
  reply.header('etag', tag).header('cache-control', 'private, no-cache').header('vary', 'token, accept-encoding')
  if (request.headers['if-none-match']?.split(/,\s*/).some((known) => known.replace(/^W\//, '') === tag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

export function appBundle({ hash, app, screens }: Catalog): AppBundle {
  return {
    hash, app,
    screens: Object.values(screens).map(({ name, kind, area, route, title, parameters, variants, noCache, parent, menu, permission, opens }) => ({
      name, kind, area, ...(route !== undefined && { route }), title, parameters: withVariants(parameters, variants),
      ...(variants && {
        variants: { parameter: variants.parameter, titles: Object.fromEntries(Object.entries(variants.plans).map(([value, plan]) => [value, plan.title])),
          open: Object.entries(variants.plans).flatMap(([value, plan]) => plan.parameters.every((one) => !one.required || one.name === variants.parameter) ? [value] : []),
        },
      }),
      noCache, ...(parent !== undefined && { parent }), affix: menu?.affix ?? route === app.home, permission, ...(opens && { opens }), keywords: searchText([title.cn]),
    })),
  }
}

/** What only some variants take is a parameter of the address too, though not a required one. */
function withVariants(parameters: ScreenPlan['parameters'], variants: ScreenPlan['variants']): ScreenPlan['parameters'] {
  const further = new Set(Object.values(variants?.plans ?? {}).flatMap((plan) => plan.parameters.map(({ name }) => name)))
  parameters.forEach(({ name }) => further.delete(name))
  return [...parameters, ...[...further].map((name) => ({ name, required: false }))]
}

/** @throws Refusal permission. */
export function screenBundle(context: Context, plan: ScreenPlan): ScreenBundle {
  if (!mayOpen(context.user, plan)) throw new Refusal('permission')
  const { derived, user } = context
  const { catalog } = derived
  const shown = new Set([plan.entity ?? [], ((plan.body as { blocks?: RecordsBlock[] }).blocks ?? []).map(({ entity }) => entity)].flat())
  const whole = [...new Set([...shown].flatMap((name) => withRows(derived, catalog.entities[name])))]
  const entities = Object.fromEntries(whole.map((entity) => [entity.name, planOf(entity)]))
  for (const target of whole.flatMap((entity) => targetsOf(derived, entity))) entities[target.name] ??= namesOnly(target)
  const dictionaries = Object.fromEntries(whole.flatMap((entity) => Object.values(entity.fields)).flatMap((field) => {
    const name = derived.widget(field).dictionary?.(field.options)
    return name === undefined ? [] : [[name, catalog.dictionaries[name]]]
  }))
  const mentioned = new Set(permissionsIn({ plan, whole }))
  return { hash: catalog.hash, plan, entities, dictionaries, granted: Object.fromEntries([...mentioned].map((permission) => [permission, may(user, permission)])) }
}

/** The entity and those of its rows, and of theirs. */
function withRows(derived: Derived, entity: Entity, known: Entity[] = []): Entity[] {
  if (known.includes(entity)) return []
  return [entity, ...Object.values(entity.fields).flatMap((field) => {
    const target = derived.target(field)
    return target?.rows ? withRows(derived, target.entity, [...known, entity]) : []
  })]
}

const targetsOf = (derived: Derived, entity: Entity): Entity[] =>
  Object.values(entity.fields).flatMap((field) => derived.target(field)?.entity ?? [])

const planOf = ({ indexes: _indexes, file: _file, limits: _limits, ...plan }: Entity): EntityPlan => plan

/** Of what is only referred to, no more than what a reference shows. */
function namesOnly(entity: Entity): EntityPlan {
  const shown = new Set([entity.display, entity.code, entity.tree?.parent])
  return {
    ...planOf(entity), rules: [], saves: [], actions: {}, states: [],
    fields: Object.fromEntries(Object.entries(entity.fields).filter(([name]) => shown.has(name))),
  }
}

/** Every permission named anywhere below. */
function permissionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'permission' && typeof inner === 'string') return [inner]
    if (key === 'permissions' && typeof inner === 'object' && inner !== null) return Object.values(inner).filter((one) => typeof one === 'string')
    return permissionsIn(inner)
  })
}
