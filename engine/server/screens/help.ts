import type { FastifyInstance } from 'fastify'
import { dataDictionary } from '../../schema/docs/dataDictionary.ts'
import { operatorsManual, type Reader } from '../../schema/docs/manual.ts'
import { permissionTable } from '../../schema/docs/permissionTable.ts'
import type { Catalog, HelpAnswer, HelpSection, Label } from '../../model/model.ts'
import type { Derived } from '../derived.ts'
import { may, mayOpen, type Rights } from '../identity/access.ts'
import { answer } from '../http/envelope.ts'
import { Refusal } from '../errors.ts'
import { roleEntity, roleFields } from '../identity/identity.ts'
import { inspectPermission } from './inspect.ts'
import type { Context, Runtime } from '../runtime.ts'
import { documentSections } from './documents.ts'

/** What a page is made of. */
type Source = Pick<Context, 'runtime' | 'derived'>

interface Page {
  title: Label
  /** The language, if it is written in only one. */
  language?: string
  isFor(context: Context): boolean
  /** Whether it is reduced to what the reader may see; otherwise it is the same for everybody. */
  isReduced?: true
  sections(source: Source, reader: Rights): HelpSection[]
}

/** Generated from the catalog. */
const made: Record<string, Page> = {
  manual: {
    title: { cn: '操作手册', en: "Operator's manual" },
    isFor: () => true,
    isReduced: true,
    sections: ({ derived: { catalog, widgets } }, reader) =>
      operatorsManual({ catalog, widgets }, readerOf(catalog, reader)),
  },
  data: {
    title: { cn: '数据字典', en: 'Data dictionary' },
    isFor: () => true,
    isReduced: true,
    sections: ({ derived: { catalog, widgets } }, reader) =>
      dataDictionary(catalog, widgets, readerOf(catalog, reader)),
  },
  permissions: {
    title: { cn: '权限表', en: 'Permissions' },
    isFor: ({ user, derived: { catalog } }) => {
      const role = catalog.entities[roleEntity]
      return role !== undefined && may(user, role.permissions.view)
    },
    sections: ({ derived: { catalog } }) => permissionTable(catalog, presetRoles(catalog)),
  },
  language: {
    title: { cn: '配置语言', en: 'The schema language' },
    isFor: ({ user }) => may(user, inspectPermission),
    sections: ({ runtime, derived: { catalog } }) => runtime.origins?.(catalog.hash)?.reference() ?? [],
  },
}

/**
 * The project's documents are about schema files and the server, so they are for users who may inspect the schema
 * files.
 */
const pagesOf = ({ documents }: Runtime): Record<string, Page> => ({
  ...made,
  ...Object.fromEntries(
    documents.map((document): [string, Page] => [
      document.name,
      {
        title: document.title,
        language: document.language,
        isFor: ({ user }) => may(user, inspectPermission),
        sections: () => documentSections(document, documents),
      },
    ]),
  ),
})

const presetRoles = ({ presets, entities }: Catalog) =>
  presets
    .filter(({ entity }) => entity === roleEntity)
    .flatMap(({ rows }) => rows)
    .map((row) => ({
      name: String(row[entities[roleEntity].display]),
      permissions: (row[roleFields.permissions] ?? []) as string[],
    }))

const readerOf = (catalog: Catalog, user: Rights): Reader => ({
  opens: (screen) => mayOpen(user, screen),
  may: (permission) => may(user, permission),
  // Rows are visible with the record that they belong to.
  sees: (entity) => may(user, (entity.rowOf ? catalog.entities[entity.rowOf.entity] : entity).permissions.view),
})

/** The most pages kept for one catalog: those of some twenty sets of roles. */
const mostKept = 50
const kept = new WeakMap<Derived, Map<string, HelpSection[]>>()

/**
 * The sections of a page, kept for others with the same rights until the catalog changes: while they are generated,
 * nobody else is answered.
 */
export function sectionsOf(source: Source, { roles, permissions }: Rights, name: string): HelpSection[] {
  const page = pagesOf(source.runtime)[name]
  const key = JSON.stringify(page.isReduced ? [name, roles.toSorted(), permissions.toSorted()] : [name])
  const ofCatalog = kept.get(source.derived) ?? new Map<string, HelpSection[]>()
  kept.set(source.derived, ofCatalog)
  const known = ofCatalog.get(key)
  if (known) return known
  const sections = page.sections(source, { roles, permissions })
  if (ofCatalog.size >= mostKept) ofCatalog.clear()
  // What is empty may only be missing as yet, like the files that a catalog was compiled from.
  if (sections.length > 0) ofCatalog.set(key, sections)
  return sections
}

export function helpRoute(api: FastifyInstance): void {
  api.get<{ Querystring: { page?: string } }>('/help', async ({ context, query: { page: name = 'manual' } }) => {
    const pages = pagesOf(context.runtime)
    const page = Object.hasOwn(pages, name) ? pages[name] : undefined
    if (!page) throw new Refusal('unknownPath')
    if (!page.isFor(context)) throw new Refusal('permission')
    const offered = Object.entries(pages)
      .filter(([, each]) => each.isFor(context))
      .map(([each, { title }]) => ({ name: each, title }))
    const { language } = page
    return answer({
      pages: offered,
      name,
      ...(language !== undefined && { language }),
      sections: sectionsOf(context, context.user, name),
    } satisfies HelpAnswer)
  })
}
