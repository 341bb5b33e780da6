import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../screens/index.ts'
import { widgets } from '../../widgets/index.ts'
import { compile } from '../compile.ts'
import type { ExistingFiles } from './ExistingFiles.ts'
import { newFiles, nextQuestion, questionsOf, refusal, type Novelty } from './newFiles.ts'
import type { SourceText } from '../reading/SourceFile.ts'
import type { Answers } from './Question.ts'

// Imports bring actions of the engine's own.
const lists = {
  widgets,
  kinds,
  procedures: ['importWrite', 'importCancel', 'importUndo', 'importStopUndo', 'importFix'],
}
const folder = join(import.meta.dirname, '../../../tests/mistakes/sound')
const sources: SourceText[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(folder, path), 'utf8') }))
const single: SourceText = {
  path: 'schemas/shop/till.entity.json',
  text: `{ "label": { "cn": "收银", "en": "Till" }, "display": "name", "single": true,
  "fields": { "name": { "type": "text", "label": { "cn": "名称", "en": "Name" } } } }`,
}
const importing: SourceText[] = ['importStatus', 'importRowStatus']
  .map((name) => `schemas/setting/${name}.dictionary.json`)
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
const ground = (all = sources): ExistingFiles => ({ catalog: compile(all, lists).catalog!, sources: all, lists })

/** Answers questions until there are none left. @returns the files, their issues, and the names of the questions. */
function made(what: Novelty, given: Answers, at = ground()) {
  let answers: Answers = {}
  const prompted: string[] = []
  for (let question = nextQuestion(what, answers, at); question; question = nextQuestion(what, answers, at)) {
    const answer = given[question.name] ?? question.suggested ?? ''
    expect(refusal(question, answer), question.name).toBeUndefined()
    prompted.push(question.name)
    answers = { ...answers, [question.name]: answer }
  }
  const files = newFiles(what, answers, at)
  return {
    prompted,
    files,
    issues: compile(
      [
        ...at.sources.filter(({ path }) => files.every((file) => `schemas/${file.path}` !== path)),
        ...files.map(({ path, text }) => ({ path: `schemas/${path}`, text })),
      ],
      lists,
    ).issues,
  }
}

test('an entity has one field, by which people identify it', () => {
  const { prompted, files, issues } = made('entity', {
    name: 'car',
    area: 'shop',
    cn: '车',
    en: 'Car "A"',
    'field-cn': '名称',
    'field-en': 'Name',
  })
  expect(issues).toEqual([])
  expect(prompted).toEqual(['name', 'area', 'cn', 'en', 'field', 'field-cn', 'field-en'])
  expect(files).toEqual([
    {
      path: 'shop/car.entity.json',
      text: `{
  "label": { "cn": "车", "en": "Car \\"A\\"" },
  "display": "name",
  "search": ["name"],
  "fields": { "name": { "type": "text", "required": true, "label": { "cn": "名称", "en": "Name" } } }
}
`,
    },
  ])
})

const orders: SourceText = {
  path: 'schemas/shop/orders.imports.json',
  text: '{ "route": "/orders", "into": "order", "title": { "cn": "导入", "en": "Import" }, "parent": "order.list", "key": ["customer"], "columns": ["customer"] }',
}

test('the menu is offered only for a screen that needs no record, and import details only for what is imported', () => {
  const questionsFor = (kind: string, at = ground()) => questionsOf('screen', { kind }, at)
  expect(questionsFor('list').map(({ name }) => name)).toContain('menu')
  expect(questionsFor('detail').map(({ name }) => name)).not.toContain('menu')
  const choices = (at: ExistingFiles) => questionsFor('importDetail', at).find(({ name }) => name === 'entity')!.choices
  expect(choices(ground())).toEqual([])
  expect(choices(ground([...sources, ...importing, orders]))).toEqual(['order'])
})

describe('a screen of every kind that needs only one entity', () => {
  const able = Object.values(kinds)
    .filter(({ smallest }) => smallest)
    .map(({ kind }) => kind)
  test('the kinds include the common ones', () =>
    expect(able).toEqual(expect.arrayContaining(['list', 'form', 'detail', 'settings', 'imports'])))
  test.each(able)('%s', (kind) => {
    const { files, issues } = made(
      'screen',
      { kind, entity: kind === 'settings' ? 'till' : 'order', name: 'another', route: '/another', menu: '7' },
      ground([...sources, single, ...importing, ...(kind === 'importDetail' ? [orders] : [])]),
    )
    expect(issues).toEqual([])
    expect(files).toMatchObject([{ path: `shop/another.${kind}.json` }])
    const file = JSON.parse(files[0].text) as Record<string, unknown>
    expect(file).toMatchObject({ route: '/another', ...(!file.parameters && { menu: { order: 7 } }) })
    expect(file).not.toMatchObject({ parameters: expect.anything(), menu: expect.anything() })
  })
})

test('a form adds and edits, and a list offers what the other screens of its entity do', () => {
  const form = made('screen', { kind: 'form', entity: 'customer', name: 'buyer' })
  expect(form.issues).toEqual([])
  expect(JSON.parse(form.files[0].text)).toMatchObject({
    variants: { type: { add: { mode: 'create' }, edit: { mode: 'edit', parameters: ['type', 'id'] } } },
  })
  const actionsWith = (more: SourceText[]) => {
    const { files, issues } = made(
      'screen',
      { kind: 'list', entity: 'till', name: 'tills' },
      ground([...sources, till, ...more]),
    )
    expect(issues).toEqual([])
    return JSON.parse(files[0].text).actions
  }
  const till = { ...single, text: single.text.replace('"single": true,', '') }
  const { files } = made('screen', { kind: 'form', entity: 'till', name: 'till' }, ground([...sources, till]))
  expect(actionsWith([])).toEqual(['export', 'delete'])
  expect(actionsWith(files.map(({ path, text }) => ({ path: `schemas/${path}`, text })))).toEqual([
    'create',
    'export',
    'edit',
    'delete',
  ])
})

test('an area has an entity with a list in the menu, a form that adds and edits, details and an import', () => {
  const at = ground([...sources, ...importing])
  const { prompted, files, issues } = made(
    'area',
    {
      area: 'garage',
      'area-cn': '车库',
      'area-en': 'Garage',
      name: 'car',
      cn: '车',
      en: 'Car',
      field: 'plate',
      'field-cn': '车牌号',
      'field-en': 'Plate',
    },
    at,
  )
  expect(issues).toEqual([])
  expect(prompted).toEqual(['area', 'area-cn', 'area-en', 'name', 'cn', 'en', 'field', 'field-cn', 'field-en'])
  expect(files.map(({ path }) => path)).toEqual([
    'app.json',
    'garage/car.entity.json',
    ...['detail', 'form', 'importDetail', 'imports', 'list'].map((kind) => `garage/car.${kind}.json`),
  ])
  const [app, ...others] = files
  const before = sources.find(({ path }) => path.endsWith('app.json'))!.text
  const added = '{ "name": "garage", "label": { "cn": "车库", "en": "Garage" }, "icon": "folder" }'
  expect(app.text.replace(new RegExp(`,\\s*${added.replace(/[{}]/g, '\\$&')}`), ''), 'and nothing else').toBe(before)
  expect(JSON.parse(others.find(({ path }) => path.endsWith('form.json'))!.text)).toMatchObject({
    title: { cn: '新增车', en: 'Add car' },
    parent: 'car.list',
    variants: { type: { edit: { title: { cn: '编辑车', en: 'Edit car' } } } },
  })
})

test('a screen without a route has no prompt for its place in the menu', () => {
  const { prompted, files, issues } = made('screen', { entity: 'customer', name: 'buyer' })
  expect(issues).toEqual([])
  expect(prompted).toEqual(['kind', 'entity', 'name', 'area', 'route', 'cn', 'en'])
  expect(JSON.parse(files[0].text)).toEqual({
    entity: 'customer',
    title: { cn: '顾客', en: 'Customer' },
    columns: ['name'],
    actions: ['export', 'delete'],
  })
})

test('a family prompts for what its template requires', () => {
  const { prompted, files, issues } = made('family', {
    name: 'rent',
    'parameter-key': 'rent',
    'parameter-cn': '租金',
    'parameter-en': 'Rent',
  })
  expect(issues).toEqual([])
  expect(prompted).toEqual(['template', 'name', 'parameter-cn', 'parameter-en', 'parameter-key'])
  expect(files).toMatchObject([{ path: 'shop/rent.family.json' }])
  expect(JSON.parse(files[0].text)).toEqual({ template: 'fee', parameters: { key: 'rent', cn: '租金', en: 'Rent' } })
})

describe('parameters of a family', () => {
  const shaped = (parameters: object) =>
    ground([
      ...sources,
      {
        path: 'schemas/shop/toll.template.json',
        text: JSON.stringify({
          label: { cn: '通行费', en: 'Toll' },
          area: 'shop',
          order: 'place',
          parameters,
          files: {},
        }),
      },
    ])
  const text = { type: 'string', minLength: 1 }
  const at = shaped({
    type: 'object',
    additionalProperties: false,
    required: ['place', 'yearly', 'base', 'items', 'pages'],
    properties: {
      place: { type: 'integer' },
      yearly: { type: 'boolean' },
      colour: text,
      base: {
        type: 'object',
        additionalProperties: false,
        required: ['mode'],
        properties: { mode: { type: 'string', enum: ['own', 'none'] }, name: text },
        allOf: [
          JSON.parse(
            '{ "if": { "properties": { "mode": { "const": "own" } } }, "then": { "required": ["name"] } }',
          ) as object,
        ],
      },
      items: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['key', 'modes', 'item'],
          properties: {
            key: { type: 'string', pattern: '^[a-z]+$' },
            modes: { type: 'array', minItems: 1, items: { type: 'integer', enum: [1, 2] } },
            item: { anyOf: [{ type: 'string' }, { type: 'object' }] },
          },
        },
      },
      pages: {
        type: 'object',
        additionalProperties: false,
        required: ['first'],
        properties: { first: { type: 'array', items: text } },
      },
    },
  })

  test('are prompted one by one, with the required item of a list and what follows from an answer', () => {
    const { prompted, files, issues } = made(
      'family',
      {
        template: 'toll',
        name: 'rent',
        'parameter-place': '7',
        'parameter-base-name': 'Base',
        'parameter-items-key': 'heat',
        'parameter-items-item': '{ "value": "heat" }',
      },
      at,
    )
    expect(issues).toEqual([])
    expect(prompted).toEqual([
      'template',
      'name',
      'parameter-place',
      'parameter-yearly',
      'parameter-base-mode',
      'parameter-base-name',
      'parameter-items-key',
      'parameter-items-modes',
      'parameter-items-item',
    ])
    expect(JSON.parse(files[0].text).parameters).toEqual({
      place: 7,
      yearly: false,
      base: { mode: 'own', name: 'Base' },
      items: [{ key: 'heat', modes: [1], item: { value: 'heat' } }],
      pages: { first: [] },
    })
    const other = made(
      'family',
      {
        template: 'toll',
        name: 'rent',
        'parameter-place': '7',
        'parameter-base-mode': 'none',
        'parameter-items-key': 'heat',
        'parameter-items-item': 'heat',
      },
      at,
    )
    expect(other.prompted).not.toContain('parameter-base-name')
    expect(JSON.parse(other.files[0].text).parameters).toMatchObject({
      base: { mode: 'none' },
      items: [{ item: 'heat' }],
    })
  })

  test.each<[Answers, string, string]>([
    [{}, 'seven', 'A whole number is needed.'],
    [{ 'parameter-place': '7' }, 'maybe', '"maybe" is none of false, true.'],
    [
      { 'parameter-place': '7', 'parameter-yearly': 'true', 'parameter-base-mode': 'none' },
      'HEAT',
      'It must have the form ^[a-z]+$.',
    ],
    [
      {
        'parameter-place': '7',
        'parameter-yearly': 'true',
        'parameter-base-mode': 'none',
        'parameter-items-key': 'heat',
        'parameter-items-modes': '1',
      },
      '{ "value": ',
      'This is no JSON.',
    ],
  ])('after %j refuse %s', (answers, answer, message) => {
    expect(refusal(nextQuestion('family', { template: 'toll', name: 'rent', ...answers }, at)!, answer)).toBe(message)
  })
})

test.each<[Novelty, Answers, string, string]>([
  ['entity', {}, 'order', 'There is an entity "order" already.'],
  ['entity', {}, 'Car', 'A name starts with a small letter'],
  ['area', {}, 'shop', 'There is an area "shop" already.'],
  ['area', {}, 'My shop', 'A name of small letters and digits is needed.'],
  ['entity', { name: 'car' }, 'shp', 'Did you mean "shop"?'],
  ['entity', { name: 'car', area: 'shop', cn: '车', en: 'Car' }, 'createdAt', 'cannot be the name of a field'],
  ['screen', { kind: 'list' }, 'ordr', 'Did you mean "order"?'],
  [
    'screen',
    { kind: 'list', entity: 'order', name: 'other', area: 'shop' },
    '/order',
    'The route belongs to order.list.',
  ],
  ['screen', { kind: 'list', entity: 'order', name: 'other', area: 'shop' }, 'orders', 'A route begins with /'],
  [
    'family',
    { template: 'fee', name: 'rent', 'parameter-cn': '租金', 'parameter-en': 'Rent' },
    'RENT',
    'It must have the form ^[a-z]+$.',
  ],
])('%s after %j refuses %s', (what, answers, answer, message) => {
  expect(refusal(nextQuestion(what, answers, ground())!, answer)).toContain(message)
})
