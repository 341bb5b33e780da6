import type { Request } from '../../../engine/client/index.ts'
import type { Dictionary, EntityPlan, RecordData, ScreenBundle } from '../../../engine/schema/model.ts'
import { sampleOf } from './examples.ts'

/** So many records each list has. */
const count = 6

/** A connection that reads the plans of screens from the server, and answers everything else from samples; nothing that it is sent goes anywhere. */
export function sampleRequest(request: Request): Request {
  const bundles: ScreenBundle[] = []
  const entityOf = (path: string): EntityPlan | undefined => bundles.flatMap(({ entities }) => Object.values(entities))
    .filter(({ endpoint }) => path.startsWith(`${endpoint}/`)).sort((a, b) => b.endpoint.length - a.endpoint.length)[0]
  const dictionary = (name: string): Dictionary | undefined => bundles.map(({ dictionaries }) => dictionaries[name]).find(Boolean)
  const recordOf = (entity: EntityPlan | undefined, index: number): RecordData => ({
    id: index + 1, revision: 1,
    ...entity && Object.fromEntries(Object.values(entity.fields).map((field) => [field.name, sampleOf(field, dictionary, index)])),
  })
  const records = (entity: EntityPlan | undefined): RecordData[] => Array.from({ length: count }, (_, index) => recordOf(entity, index))

  const answer = (path: string, parameters: Record<string, unknown>): unknown => {
    const entity = entityOf(path)
    switch (path.split('/').at(-1)) {
      case 'list': return { list: records(entity), total: count, sums: {}, counts: ((parameters.counts as object[] | undefined) ?? []).map(() => count) }
      case 'options': return { list: records(entity).map(({ id }) => ({ id, code: `S${id}`, name: `${entity?.label.cn ?? ''}${id}` })), total: count }
      case 'detail': return recordOf(entity, Math.max(0, Number(parameters.id ?? 1) - 1))
      case 'history': return { list: [], total: 0 }
      case 'problems': return []
      case 'lookup': return {}
      case 'unique': return { unique: true }
      case 'block': {
        const block = bundles.flatMap(({ plan, entities }) => ((plan.body as { blocks?: { name: string; entity: string }[] }).blocks ?? [])
          .filter(({ name }) => name === parameters.name).map(({ entity: of }) => entities[of]))[0]
        return records(block)
      }
      default: return null
    }
  }
  return {
    ...request,
    async get<T>(path: string, parameters: Record<string, unknown> = {}, options?: Parameters<Request['get']>[2]): Promise<T> {
      if (path !== '/plans/screen') return answer(path, parameters) as T
      const bundle = await request.get<ScreenBundle>(path, parameters, options)
      bundles.push(bundle)
      return bundle as T
    },
    post: async <T>() => ({ succeeded: 1, failed: [] }) as T,
    download: async () => undefined,
  }
}
