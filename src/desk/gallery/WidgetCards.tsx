import { useId, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import {
  ClientReact,
  EngineReact,
  FieldDisplay,
  FilterControl,
  useClient,
  WidgetEdit,
} from '../../../engine/client/index.ts'
import type { EngineContext } from '../../../engine/client/index.ts'
import { rowsOf } from '../../../engine/model/model.ts'
import { tagOf, textIn } from '../../../engine/model/language.ts'
import type { EntityPlan, Field, FilterValue, Label, Value } from '../../../engine/model/model.ts'
import { widgets } from '../../../engine/widgets/index.ts'
import { widgetViews } from '../../../engine/widgets/views.ts'
import { ownName } from '../../session/language.ts'
import { useDeskWords } from '../words.ts'
import { examplesOf, fieldOf } from './examples.ts'

const languages = ['cn', 'en']

/** One widget in each of its states, with all of its examples and options, in both languages. */
export function WidgetCards({ type }: { type: string }) {
  return (
    <>
      <Options type={type} />
      <div className="gallery-languages">
        {languages.map((language) => (
          <InLanguage key={language} language={language} type={type} />
        ))}
      </div>
    </>
  )
}

function Options({ type }: { type: string }) {
  const t = useDeskWords()
  const { language } = useClient()
  const rows = rowsOf(widgets[type].options)
  if (rows.length === 0) return <p>{t('noOptions')}</p>
  return (
    <div className="gallery-options">
      <table>
        <caption>{t('options')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('key')}</th>
            <th scope="col">{t('type')}</th>
            <th scope="col">{t('default')}</th>
            <th scope="col">{t('about')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, type: kind, required, default: initial, about }) => (
            <tr key={key}>
              <th scope="row">
                <code>{key}</code>
              </th>
              <td>
                <code>{kind}</code>
              </td>
              <td>
                {initial === undefined ? required ? t('mustBeGiven') : '' : <code>{JSON.stringify(initial)}</code>}
              </td>
              <td>{about && textIn(about, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const sample: EntityPlan = {
  name: 'sample',
  area: '',
  label: { cn: '样例', en: 'Sample' },
  display: 'name',
  code: 'code',
  search: [],
  endpoint: '/sample',
  rules: [],
  states: [],
  saves: [],
  actions: {},
  allow: { create: true, update: true, delete: true },
  permissions: { view: '', create: '', update: '', delete: '', export: '', viewSensitive: '' },
  fields: {},
}

/** A separate context for the widgets, in that language: nothing in it reaches a server. */
function InLanguage({ language, type }: { language: string; type: string }) {
  const client = useClient()
  const inLanguage = useMemo(() => ({ ...client, language }), [client, language])
  const engine = useMemo<EngineContext>(
    () => ({
      language,
      widgets,
      views: widgetViews,
      text: (label) => textIn(label, language),
      dictionary: (name) =>
        examplesOf[type]?.dictionaries?.[name] ?? { name, label: { cn: name, en: name }, choices: [], mayGrow: false },
      now: client.request.now,
      entity: () => sample,
      options: async () => ({
        list: [
          { id: 7, code: 'S7', name: '样例甲' },
          { id: 8, code: 'S8', name: '样例乙' },
        ],
        total: 2,
      }),
      upload: async (file) => ({ url: '', name: file.name, size: file.size, status: 'success' }),
    }),
    [language, type, client],
  )
  return (
    <ClientReact.Provider value={inLanguage}>
      <EngineReact.Provider value={engine}>
        <section lang={tagOf(language)} aria-label={ownName(language)}>
          <States type={type} language={language} />
        </section>
      </EngineReact.Provider>
    </ClientReact.Provider>
  )
}

function States({ type, language }: { type: string; language: string }) {
  const words = useDeskWords()
  const { good, bad } = examplesOf[type]
  const widget = widgets[type]
  const state = (name: Parameters<typeof words>[0], index?: number): Label => {
    const text = index === undefined ? words(name) : `${words(name)} ${index + 1}`
    return { cn: text, en: text }
  }
  const exampleField = (name: Parameters<typeof words>[0], index?: number, set = 0): Field =>
    fieldOf(type, state(name, index), set)
  return (
    <div className="gallery-states">
      <Edit field={exampleField('edit')} initial={null} />
      {good.map(({ canonical }, index) => (
        <Edit key={index} field={exampleField('edit', index)} initial={canonical} />
      ))}
      <Edit field={exampleField('disabled')} initial={good[0]?.canonical ?? null} disabled />
      {bad.map(({ given, message, with: set = 0 }, index) => {
        const field = exampleField('wrong', index, set)
        return (
          <Edit
            key={index}
            field={field}
            initial={
              widget.files
                ? null
                : drawable(widget.normalize(given, field.options) as Value, good[0]?.canonical ?? null)
            }
            problem={textIn(message, language).replaceAll('{label}', textIn(field.label, language))}
          />
        )
      })}
      {good.map(({ canonical }, index) => (
        <Shown key={index} field={exampleField('readOnly', index)}>
          <FieldDisplay value={canonical} field={exampleField('readOnly', index)} />
        </Shown>
      ))}
      {widget.operators.map((operator) => (
        <Filter key={operator} field={exampleField('filter')} operator={operator} />
      ))}
    </div>
  )
}

/** Invalid examples may have values that no view ever gets: only those shaped like a valid one are rendered. */
const drawable = (value: Value, good: Value): Value =>
  (typeof value === typeof good &&
    Array.isArray(value) === Array.isArray(good) &&
    JSON.stringify(value)?.[1] === JSON.stringify(good)?.[1]) ||
  (typeof value === 'string' && typeof good === 'string')
    ? value
    : null

function Edit({
  field,
  initial,
  disabled,
  problem,
}: {
  field: Field
  initial: Value
  disabled?: boolean
  problem?: string
}) {
  const id = useId()
  const { language } = useClient()
  const [value, setValue] = useState<Value>(initial)
  return (
    <div className="form-item">
      <div className="form-item-label">
        <label htmlFor={id}>{textIn(field.label, language)}</label>
      </div>
      <div className="form-item-control">
        <WidgetEdit
          id={id}
          value={value}
          onChange={setValue}
          field={field}
          label={textIn(field.label, language)}
          disabled={disabled}
          invalid={problem !== undefined}
          describedBy={problem === undefined ? undefined : `${id}-problem`}
        />
      </div>
      {problem !== undefined && (
        <div id={`${id}-problem`} className="form-item-problem">
          {problem}
        </div>
      )}
    </div>
  )
}

function Filter({ field, operator }: { field: Field; operator: Parameters<typeof FilterControl>[0]['operator'] }) {
  const id = useId()
  const { language } = useClient()
  const [value, setValue] = useState<FilterValue>()
  const label = `${textIn(field.label, language)} (${operator})`
  return (
    <div className="form-item">
      <div className="form-item-label">
        <label htmlFor={id}>{label}</label>
      </div>
      <div className="form-item-control">
        <FilterControl id={id} field={field} label={label} operator={operator} value={value} onChange={setValue} />
      </div>
    </div>
  )
}

function Shown({ field, children }: { field: Field; children: ReactNode }) {
  const { language } = useClient()
  return (
    <div className="form-item form-item-reading">
      <div className="form-item-label">
        <span>{textIn(field.label, language)}</span>
      </div>
      <div className="form-item-control">{children}</div>
    </div>
  )
}
