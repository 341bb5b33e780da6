import type { FastifyInstance } from 'fastify'
import { dataDictionary } from '../../schema/docs/dataDictionary.ts'
import { operatorsManual, type Reader } from '../../schema/docs/manual.ts'
import { permissionTable } from '../../schema/docs/permissionTable.ts'
import type { Catalog, HelpAnswer, HelpSection, Label } from '../../model/model.ts'
import { may, mayOpen } from '../identity/access.ts'
import { answer } from '../http/envelope.ts'
import { Refusal } from '../errors.ts'
import { roleEntity, roleFields } from '../identity/identity.ts'
import { inspectPermission } from './inspect.ts'
import type { Context, Runtime } from '../runtime.ts'
import { documentSections } from './documents.ts'

interface Page {
  title: Label
  /** The language, if it is written in only one. */
  language?: string
  isFor(context: Context): boolean
  sections(context: Context): HelpSection[]
}

/** Generated from the catalog, and reduced to what the user may see. */
const made: Record<string, Page> = {
  manual: {
    title: { cn: '操作手册', en: "Operator's manual" },
    isFor: () => true,
    sections: (context) => operatorsManual(known(context), readerOf(context)),
  },
  data: {
    title: { cn: '数据字典', en: 'Data dictionary' },
    isFor: () => true,
    sections: (context) => dataDictionary(known(context).catalog, known(context).widgets, readerOf(context)),
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

const known = ({ derived: { catalog, widgets } }: Context) => ({ catalog, widgets })
const readerOf = ({ user, derived: { catalog } }: Context): Reader => ({
  opens: (screen) => mayOpen(user, screen),
  may: (permission) => may(user, permission),
  // Rows are visible with the record that they belong to.
  sees: (entity) => may(user, (entity.rowOf ? catalog.entities[entity.rowOf.entity] : entity).permissions.view),
})

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
      sections: page.sections(context),
    } satisfies HelpAnswer)
  })
}
