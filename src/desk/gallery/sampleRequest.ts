import type { Request } from '../../../engine/client/index.ts'
import type {
  Dictionary,
  EntityPlan,
  GroupedResult,
  GroupKey,
  MeasurePlan,
  RecordData,
  ScreenBundle,
} from '../../../engine/model/model.ts'
import { sampleOf } from './examples.ts'

/** How many records each list has. */
const count = 6

/** The menu is real, not a sample. */
const menu = '/partner-menu/get-user-nav-menu'

/** Reads the plans of screens and the menu from the server, answers everything else with samples, and sends nothing. */
export function sampleRequest(request: Request): Request {
  const bundles: ScreenBundle[] = []
  return {
    ...request,
    async get<T>(
      path: string,
      parameters: Record<string, unknown> = {},
      options?: Parameters<Request['get']>[2],
    ): Promise<T> {
      if (path === '/plans/waiting') {
        const body = bundles.find(({ plan }) => plan.name === parameters.screen)?.plan.body
        const { waiting = [] } = body as { waiting?: { name: string }[] }
        return Object.fromEntries(waiting.map(({ name }) => [name, { total: count }])) as T
      }
      if (path === menu) return request.get<T>(path, parameters, options)
      if (path !== '/plans/screen') return sampleAnswer(bundles, path, parameters) as T
      const bundle = await request.get<ScreenBundle>(path, parameters, options)
      bundles.push(bundle)
      return bundle as T
    },
    post: async <T>() => ({ succeeded: 1, failed: [] }) as T,
    download: async () => undefined,
  }
}

function sampleAnswer(bundles: readonly ScreenBundle[], path: string, parameters: Record<string, unknown>): unknown {
  const { entityOf, recordOf, records, grouped } = samplesOf(bundles)
  const entity = entityOf(path)
  switch (path.split('/').at(-1)) {
    case 'list':
      return {
        list: records(entity),
        total: count,
        sums: {},
        counts: ((parameters.counts as object[] | undefined) ?? []).map(() => count),
      }
    case 'options':
      return {
        list: records(entity).map(({ id }) => ({ id, code: `S${id}`, name: `${entity?.label.cn ?? ''}${id}` })),
        total: count,
      }
    case 'detail':
      return recordOf(entity, Math.max(0, Number(parameters.id ?? 1) - 1))
    case 'history':
      return { list: [], total: 0 }
    case 'problems':
      return []
    case 'lookup':
      return {}
    case 'unique':
      return { unique: true }
    case 'block': {
      const { block, of: blockEntity } = blockOf(bundles, parameters.name)
      return block.measures ? grouped(block) : records(blockEntity)
    }
    case 'report': {
      const body = bodyOf(bundles, parameters.screen)
      return grouped({
        by: body?.groups?.find(({ name }) => name === parameters.group)?.by ?? body?.groups?.[0]?.by,
        measures: body?.measures,
      })
    }
    case 'grouped': {
      const tab = bodyOf(bundles, parameters.screen)?.tabs?.find(({ name }) => name === parameters.tab)
      return grouped({ by: tab?.grouped?.keys, measures: tab?.grouped?.measures })
    }
    default:
      return null
  }
}

/** Samples of the records and figures that the plans refer to. */
function samplesOf(bundles: readonly ScreenBundle[]) {
  const dictionary = (name: string): Dictionary | undefined =>
    bundles.map(({ dictionaries }) => dictionaries[name]).find(Boolean)
  const recordOf = (entity: EntityPlan | undefined, index: number): RecordData => ({
    id: index + 1,
    revision: 1,
    ...(entity &&
      Object.fromEntries(
        Object.values(entity.fields).map((field) => [field.name, sampleOf(field, dictionary, index)]),
      )),
  })
  return {
    recordOf,
    records: (entity: EntityPlan | undefined): RecordData[] =>
      Array.from({ length: count }, (_, index) => recordOf(entity, index)),
    entityOf: (path: string): EntityPlan | undefined =>
      bundles
        .flatMap(({ entities }) => Object.values(entities))
        .filter(({ endpoint }) => path.startsWith(`${endpoint}/`))
        .sort((a, b) => b.endpoint.length - a.endpoint.length)[0],
    /** The figures of a few groups, in the form for reports, boards and summaries. */
    grouped({ by = [], measures = [] }: Grouped): GroupedResult {
      const figures = (index: number) =>
        Object.fromEntries(measures.map(({ name, field }) => [name, sampleOf(field, dictionary, index)]))
      const list = Array.from({ length: 3 }, (_, index) => ({
        by: by.map(({ shown }) => sampleOf(shown, dictionary, index)),
        values: figures(index),
      }))
      return { list, total: list.length, totals: figures(0) }
    },
  }
}

interface Grouped {
  by?: GroupKey[]
  measures?: MeasurePlan[]
}

/** What the samples need of the bodies of reports and details. */
interface Body {
  groups?: { name: string; by: GroupKey[] }[]
  measures?: MeasurePlan[]
  tabs?: { name: string; grouped?: { keys: GroupKey[]; measures: MeasurePlan[] } }[]
}

const bodyOf = (bundles: readonly ScreenBundle[], screen: unknown) =>
  bundles.find(({ plan }) => plan.name === screen)?.plan.body as Body | undefined

function blockOf(bundles: readonly ScreenBundle[], name: unknown) {
  const [found] = bundles.flatMap(({ plan, entities }) => {
    const { blocks = [] } = plan.body as { blocks?: ({ name: string; entity: string } & Grouped)[] }
    return blocks.filter((block) => block.name === name).map((block) => ({ block, of: entities[block.entity] }))
  })
  return found
}
