import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { columns, formFields, levels, trigger, without } from './fields.ts'
import type { BenchField, BenchFormField } from './fields.ts'

export const area = 'bench'
export const areaLabel = '性能基准'
export const formSizes = [30, 300] as const
export type FormSize = (typeof formSizes)[number]

const label = (cn: string) => ({ cn, en: cn })

/** The product's schema files, and in addition an area with a list of fifty columns and forms of 30 and 300 fields. */
export function writeSchemas(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  const app = JSON.parse(readFileSync(path.join(to, 'app.json'), 'utf8')) as { areas: object[] }
  app.areas.push({ name: area, label: label(areaLabel) })
  mkdirSync(path.join(to, area))
  const write = (name: string, content: object) => writeFileSync(path.join(to, name), JSON.stringify(content, null, 2))
  write('app.json', app)
  write(`${area}/benchLevel.dictionary.json`, {
    label: label('状态'),
    choices: levels.map(({ value, label: text, tag }) => ({ value, label: label(text), tag })),
  })
  write(`${area}/benchUnit.entity.json`, {
    label: label('单位'),
    display: 'name',
    code: 'code',
    search: ['name', 'code'],
    fields: {
      code: { type: 'text', label: label('编号') },
      name: { type: 'text', required: true, label: label('名称') },
    },
  })
  write(`${area}/wide.entity.json`, {
    label: label('宽表'),
    display: columns[0].name,
    search: [columns[0].name],
    tree: { parent: 'parent' },
    fields: {
      ...Object.fromEntries(columns.map((field) => [field.name, fieldFile(field)])),
      parent: { type: 'tree', entity: 'wide', label: label('上级') },
    },
  })
  const list = {
    entity: 'wide',
    columns: columns.map(({ name }, index) =>
      index === 0 ? { field: name, link: `/${area}/wideDetail?id={id}`, fixed: 'left' } : name,
    ),
  }
  write(`${area}/wide.list.json`, {
    ...list,
    route: `/${area}/wide`,
    title: label('五十列'),
    menu: { order: 1 },
    pageSize: '100',
  })
  // A tree is loaded completely, which is how the product shows ten thousand rows at once.
  write(`${area}/wideAll.list.json`, {
    ...list,
    route: `/${area}/wideAll`,
    title: label('五十列一万行'),
    menu: { order: 2 },
    tree: true,
  })
  write(`${area}/wideDetail.detail.json`, {
    entity: 'wide',
    route: `/${area}/wideDetail`,
    title: label('详情'),
    parent: 'wide.list',
    parameters: ['id'],
    tabs: [{ name: 'basic', label: label('基本信息'), sections: [{ fields: columns.map(({ name }) => name) }] }],
  })
  for (const count of formSizes) writeForm(count, write)
}

function writeForm(count: number, write: (name: string, content: object) => void): void {
  const fields = formFields(count)
  const name = `form${count}`
  write(`${area}/${name}.entity.json`, {
    label: label(`${count}项`),
    display: 'text2',
    fields: Object.fromEntries(fields.map((field) => [field.name, formFieldFile(field)])),
  })
  const sections = Array.from({ length: Math.ceil(count / 30) }, (_, index) => ({
    title: label(`第${index + 1}部分`),
    fields: fields.slice(index * 30, index * 30 + 30).map((field) => field.name),
  }))
  write(`${area}/${name}.form.json`, {
    entity: name,
    route: `/${area}/${name}`,
    title: label(`${count}项表单`),
    menu: { order: 10 + count },
    mode: 'create',
    sections,
  })
}

function fieldFile({ type, label: text }: BenchField): object {
  return {
    type,
    label: label(text),
    ...(type === 'choice' && { choices: 'benchLevel' }),
    ...(type === 'reference' && { entity: 'benchUnit' }),
    ...(type === 'text' && { maxLength: 60 }),
  }
}

function formFieldFile({ required, linkage, ...field }: BenchFormField): object {
  const common = { ...fieldFile(field), ...(required && { required }) }
  if (!linkage) return common
  const { effect, choice, text } = linkage
  const condition = [choice && `${choice} != '${without}'`, text && `${text} == '${trigger}'`]
    .filter(Boolean)
    .join(' && ')
  return { ...common, [effect === 'visible' ? 'visibleWhen' : 'requiredWhen']: condition }
}
