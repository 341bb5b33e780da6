// @vitest-environment jsdom
/** The React half of the contract: every view of every widget, in every language. */
import { NoticesProvider } from '../../engine/client/notices.tsx'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { ConfigProvider } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { EngineReact } from '../../engine/client/view.ts'
import type { EngineContext, WidgetView } from '../../engine/client/view.ts'
import type { EntityPlan, Value } from '../../engine/model/model.ts'
import { widgets } from '../../engine/widgets/index.ts'
import { widgetViews } from '../../engine/widgets/views.ts'
import { isLong } from '../long.ts'
import { canonicals, cases, fieldOf, label, languages } from './widgets.ts'
import type { Case } from './widgets.ts'

const loaded: Record<string, WidgetView> = {}
const complaints: unknown[][] = []

beforeAll(async () => {
  for (const [type, view] of Object.entries(widgetViews))
    loaded[type] = typeof view === 'function' ? await view() : view
  // Stubs what antd needs and jsdom lacks.
  const deaf = { addListener() {}, removeListener() {}, addEventListener() {}, removeEventListener() {} }
  vi.stubGlobal('matchMedia', (media: string) => ({ media, matches: false, ...deaf }))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  const { getComputedStyle } = window
  window.getComputedStyle = (element) => getComputedStyle.call(window, element)
})
beforeEach(() => {
  complaints.length = 0
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(console, level).mockImplementation((...words) => {
      complaints.push(words)
    })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const record = { id: 7, code: 'C000007', name: '若谷' }
const entity = {
  name: 'customer',
  label,
  display: 'name',
  code: 'code',
  search: [],
  endpoint: '/customer',
  fields: {},
  permissions: {},
  allow: {},
} as unknown as EntityPlan

function engineOf({ context }: Case, language: string): EngineContext {
  return {
    language,
    text: (label) => label[language],
    dictionary: context.dictionary,
    now: context.now,
    widgets,
    views: loaded,
    entity: () => entity,
    options: async () => ({ list: [record], total: 1 }),
    upload: async (file, onProgress) => {
      onProgress(100)
      return { url: '/files/1', name: file.name, size: file.size }
    },
  }
}

const draw = (testCase: Case, language: string, children: ReactNode) =>
  act(async () => {
    render(
      <ConfigProvider theme={{ token: { motion: false } }}>
        <NoticesProvider>
          <EngineReact.Provider value={engineOf(testCase, language)}>{children}</EngineReact.Provider>
        </NoticesProvider>
      </ConfigProvider>,
    )
  })

/** A field as a form renders it: the label outside, the value kept here. */
function Editor({
  testCase,
  language,
  initial,
  disabled,
  onValue,
}: {
  testCase: Case
  language: string
  initial: Value
  disabled?: boolean
  onValue?(value: Value): void
}) {
  const [value, setValue] = useState<Value>(initial)
  const { Edit } = loaded[testCase.type]
  return (
    <>
      <label htmlFor="field-input">{label[language]}</label>
      <Edit
        id="field-input"
        value={value}
        onChange={(next: Value) => {
          setValue(next)
          onValue?.(next)
        }}
        field={fieldOf(testCase)}
        label={label[language]}
        disabled={disabled}
        invalid
        required
        describedBy="field-problem"
      />
      <span id="field-problem">!</span>
    </>
  )
}

/**
 * Widgets that take entered text otherwise than in a text box, tested beside their views, or not at all: a series is
 * numbered on save.
 */
const untyped = ['number-series', 'rich-text', 'rows', 'texts']

describe.each(cases)('$type', (testCase) => {
  describe.each(isLong ? languages : languages.slice(0, 1))('in %s', (language) => {
    test('edits an empty value and every good value, under its label', async () => {
      for (const value of [null, ...canonicals(testCase)]) {
        await draw(testCase, language, <Editor testCase={testCase} language={language} initial={value} />)
        expect(screen.getAllByLabelText(label[language], { exact: false })).toContain(
          document.getElementById('field-input'),
        )
        expect(document.querySelector('[aria-invalid="true"][aria-describedby~="field-problem"]')).not.toBeNull()
        cleanup()
      }
      expect(complaints).toEqual([])
    })

    test('can be disabled', async () => {
      await draw(
        testCase,
        language,
        <Editor testCase={testCase} language={language} initial={canonicals(testCase)[0]} disabled />,
      )
      for (const control of document.querySelectorAll('input, textarea, button'))
        expect(control.matches(':disabled')).toBe(true)
      expect(document.querySelectorAll('[contenteditable="true"]')).toHaveLength(0)
      expect(complaints).toEqual([])
    })

    test('shows an empty value and every good value', async () => {
      const { Display, Cell } = loaded[testCase.type]
      for (const value of [null, ...canonicals(testCase)]) {
        for (const View of [Display, Cell]) {
          if (!View) continue
          await draw(testCase, language, <View value={value} field={fieldOf(testCase)} label={label[language]} />)
          expect(document.querySelector('input:not(:disabled), textarea')).toBeNull()
          cleanup()
        }
      }
      expect(complaints).toEqual([])
    })

    test('renders its filter, under its label', async () => {
      const { Filter } = loaded[testCase.type]
      if (!Filter) return
      await draw(
        testCase,
        language,
        <>
          <label htmlFor="field-filter">{label[language]}</label>
          <Filter
            id="field-filter"
            value={undefined}
            onChange={() => {}}
            field={fieldOf(testCase)}
            label={label[language]}
          />
        </>,
      )
      expect(screen.getAllByLabelText(label[language], { exact: false })).toContain(
        document.getElementById('field-filter'),
      )
      expect(complaints).toEqual([])
    })
  })

  test.runIf(testCase.widget.prompt === 'enter' && !untyped.includes(testCase.type))(
    'emits typed text in canonical form on blur',
    async () => {
      const typed = testCase.examples.good.filter(({ given }) => ['string', 'number'].includes(typeof given))
      expect(typed).not.toEqual([])
      for (const { given, canonical } of typed) {
        let value: Value = null
        await draw(
          testCase,
          'cn',
          <Editor
            testCase={testCase}
            language="cn"
            initial={null}
            onValue={(next) => {
              value = next
            }}
          />,
        )
        const inputs = document.querySelectorAll<HTMLInputElement>('input, textarea')
        expect([...inputs].map(({ id }) => id)).toContain('field-input')
        // No browser lets a user type these characters into a single line.
        const text = testCase.type === 'textarea' ? String(given) : String(given).replace(/[\n\u0000]/g, ' ')
        for (const each of inputs) fireEvent.change(each, { target: { value: text } })
        for (const each of inputs) fireEvent.blur(each)
        // A password is typed twice.
        expect(testCase.type === 'password' ? testCase.widget.normalize(value, testCase.options[0]) : value).toEqual(
          canonical,
        )
        cleanup()
      }
      expect(complaints).toEqual([])
    },
  )
})
