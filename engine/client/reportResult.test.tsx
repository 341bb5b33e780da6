import type { useAppProps } from 'antd/es/app/context'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { EntityPlan } from '../model/model.ts'
import { reportError, reportResult } from './reportResult.tsx'
import { RequestError } from './RequestError.ts'
import { words } from './words.ts'

/** The messages shown, with their kinds. */
function hearing(language = 'en') {
  const heard: [string, unknown][] = []
  const message = {
    success: (text: string) => heard.push(['success', text]),
    error: (text: string) => heard.push(['error', text]),
    info: (text: string) => heard.push(['info', text]),
  }
  return { heard, app: { message } as unknown as useAppProps, t: words.translate(language) }
}

test.each<[unknown, unknown]>([
  [new RequestError('余额不足', { code: 5 }), '余额不足'],
  [new RequestError('system error', { code: 5 }), 'system error'],
  [new RequestError('system error！'), 'system error！'],
  [new Error(''), 'error'],
  ['thrown', 'error'],
  [undefined, 'error'],
])('the error helper shows the text, or "error": %s', (error, shown) => {
  const { app, heard, t } = hearing()
  reportError(app, t, error)
  expect(heard).toEqual([['error', shown]])
})

test('a cancelled call and a 401 show no message', () => {
  const { app, heard, t } = hearing()
  reportError(app, t, new RequestError('', { cancelled: true }))
  reportError(app, t, new RequestError('expired', { code: 401 }))
  expect(heard).toEqual([])
})

test('the success helper shows the text, or "done"', () => {
  const { app, heard, t } = hearing()
  const call = { entity: {} as EntityPlan, records: [{ id: 1 }], result: null }
  reportResult(app, t, { ...call, done: 'Deleted' })
  reportResult(app, t, call)
  expect(heard).toEqual([
    ['success', 'Deleted'],
    ['success', 'done'],
  ])
})

test('an action on no record reports what it made, and names those it left out', () => {
  const { app, heard, t } = hearing()
  const shown: { title: string; content: ReactElement }[] = []
  const house = { ...app, modal: { warning: (what: never) => shown.push(what) } } as unknown as useAppProps
  const none = { entity: {} as EntityPlan, records: [] }
  reportResult(house, t, { ...none, result: { succeeded: 3, failed: [] }, done: 'Done: Generate, 3 records' })
  reportResult(house, t, { ...none, result: { succeeded: 0, failed: [] }, done: 'Done: Generate, nothing' })
  expect(heard.splice(0)).toEqual([
    ['success', 'Done: Generate, 3 records'],
    ['info', 'Done: Generate, nothing'],
  ])
  reportResult(house, t, { ...none, result: { succeeded: 3, failed: [] }, summary: '3 expenses generated' })
  reportResult(house, t, { ...none, result: { succeeded: 0, failed: [] }, summary: 'Nobody has expenses' })
  expect(heard).toEqual([
    ['success', '3 expenses generated'],
    ['info', 'Nobody has expenses'],
  ])
  reportResult(house, t, {
    ...none,
    result: { succeeded: 2, failed: [{ id: 7, name: 'FW2026030001 启澜', message: 'no costs' }] },
  })
  expect(shown[0].title).toBe(t('results', { n: 2, m: 1 }))
  expect(renderToStaticMarkup(shown[0].content)).toContain('<td>FW2026030001 启澜</td><td>no costs</td>')
})

test.each([
  ['cn', '您已取消删除操作'],
  ['en', 'You have canceled the delete operation'],
])('the message about a cancelled delete has the words of the specification', (language, text) => {
  expect(words.translate(language)('deleteCancelled')).toBe(text)
})
