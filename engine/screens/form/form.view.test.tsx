// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { RequestError } from '../../client/index.ts'
import type { EntityPlan, RecordData } from '../../model/model.ts'
import { widgets } from '../../widgets/index.ts'
import { draw, entity, field, formPlan, label, now } from '../../../tests/fixtures/screen.tsx'
import { FormView } from './form.view.tsx'
import { isLong } from '../../../tests/long.ts'

window.matchMedia ??= vi.fn(() => ({
  matches: false,
  addListener: vi.fn(),
  removeListener: vi.fn(),
  addEventListener: vi.fn(),
  removeEventListener: vi.fn(),
})) as never
const complaints = vi.spyOn(console, 'error')
const warnings = vi.spyOn(console, 'warn')
afterEach(() => {
  cleanup()
  expect([...complaints.mock.calls, ...warnings.mock.calls]).toEqual([])
})

const kinds = { options: { choices: 'kind' } }
const box = (name: string) => screen.getByLabelText<HTMLInputElement>(label(name).cn)
const item = (name: string) => document.querySelector<HTMLElement>(`[data-field="${name}"]`)!
const alerts = (name: string) =>
  within(item(name))
    .queryAllByRole('alert')
    .map((alert) => alert.textContent)
const type = (name: string, value: string) => fireEvent.change(box(name), { target: { value } })
const leave = (name: string) => fireEvent.blur(box(name))
/** The key by which the server recognises a retry of the same save; a long save is followed as a job. */
const withKey = { key: expect.stringMatching(/^\d+(-\d+){3}$/), follows: true }
const submit = () => fireEvent.click(screen.getByRole('button', { name: /保\s*存/ }))
async function choose(name: string, text: string) {
  fireEvent.mouseDown(box(name))
  fireEvent.click(
    await screen.findByText(text, { selector: '.ant-select-item-option-content, .ant-select-item-option-content *' }),
  )
}
const open = (
  thing: EntityPlan,
  rest: Parameters<typeof formPlan>[1] = {},
  more: Parameters<typeof draw>[3] = {},
  others: EntityPlan[] = [],
) => draw(FormView, formPlan(thing, rest), [thing, ...others], more)
const edit = (
  thing: EntityPlan,
  old: RecordData,
  answers: Record<string, unknown> = {},
  rest = {},
  others: EntityPlan[] = [],
) =>
  open(
    thing,
    { mode: 'edit', ...rest },
    { query: { id: String(old.id) }, answers: { [`/${thing.name}/detail`]: old, ...answers } },
    others,
  )

test('an empty required input is reported on blur, in the current language; other input stays', async () => {
  const thing = entity('thing', [field('a', 'text', { required: true }), field('b', 'text')])
  const { speak } = open(thing)
  type('b', '已经输入')
  expect(alerts('a')).toEqual([])
  leave('a')
  await waitFor(() => expect(alerts('a')).toEqual(['请输入字段a']))
  const input = box('a')
  expect([
    input.getAttribute('aria-invalid'),
    document.getElementById(input.getAttribute('aria-describedby')!)?.textContent,
  ]).toEqual(['true', '请输入字段a'])

  speak('en')
  expect(alerts('a')).toEqual(['Please enter Field a'])
  expect(screen.getByLabelText<HTMLInputElement>('Field b').value).toBe('已经输入')
  fireEvent.change(screen.getByLabelText('Field a'), { target: { value: 'x' } })
  await waitFor(() => expect(alerts('a')).toEqual([]))
})

test('a required choice is reported by the change that empties it', async () => {
  const thing = entity('thing', [field('a', 'choices', { ...kinds, required: true })])
  edit(thing, { id: 3, revision: 1, a: ['plain'] })
  await waitFor(() => expect(box('a')).toBeTruthy())
  fireEvent.click(item('a').querySelector('.ant-select-selection-item-remove')!)
  await waitFor(() => expect(alerts('a')).toEqual(['请选择字段a']))
})

test('a missing choice and a missing upload are reported on submit, each with its own text', async () => {
  const thing = entity('thing', [
    field('a', 'choice', { ...kinds, required: true }),
    field('b', 'image', { options: { max: 1 }, required: true }),
  ])
  const { request, speak } = open(thing)
  submit()
  await waitFor(() => expect([...alerts('a'), ...alerts('b')]).toEqual(['请选择字段a', '请上传字段b']))
  expect(request.post).not.toHaveBeenCalled()
  speak('en')
  expect([...alerts('a'), ...alerts('b')]).toEqual(['Please select Field a', 'Please upload Field b'])
  expect(screen.getByText('2 to correct')).toBeTruthy()
})

test('a condition shows a field, requires it, and locks it', async () => {
  const thing = entity('thing', [
    field('kind', 'choice', kinds),
    field('shown', 'text', { visibleWhen: "kind == 'special'" }),
    field('asked', 'text', { requiredWhen: "kind == 'special'" }),
    field('locked', 'text', { readOnlyWhen: "kind == 'special'" }),
  ])
  open(thing)
  type('locked', '不再改')
  expect(screen.queryByLabelText('字段shown')).toBeNull()
  expect(item('asked').textContent).toBe('字段asked')
  await choose('kind', '特殊')
  expect(box('shown')).toBeTruthy()
  expect(item('asked').textContent).toBe('字段asked*')
  expect(screen.queryByLabelText('字段locked')).toBeNull()
  expect(item('locked').textContent).toContain('不再改')
})

test('a section is visible while its condition holds and it has a visible field', async () => {
  const thing = entity('thing', [field('kind', 'choice', kinds), field('a', 'text')])
  open(thing, {
    sections: [
      { title: { cn: '一', en: 'One' }, fields: [{ field: 'kind', label: label('kind'), span: 8, readOnly: false }] },
      {
        title: { cn: '二', en: 'Two' },
        visibleWhen: "kind == 'special'",
        fields: [{ field: 'a', label: label('a'), span: 8, readOnly: false }],
      },
    ],
  })
  expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual(['一'])
  await choose('kind', '特殊')
  expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual(['一', '二'])
})

test('a default follows its input until the field is touched, and the user appears by name', () => {
  const staff = entity('user', [field('name', 'text')])
  const thing = entity('thing', [
    field('a', 'text'),
    field('b', 'text', { defaultFrom: 'a' }),
    field('c', 'reference', { options: { entity: 'user' }, defaultFrom: 'user.id' }),
  ])
  const { frame } = open(thing, {}, {}, [staff])
  expect(item('c').textContent).toContain('周演')
  expect(frame.setDirty).toHaveBeenLastCalledWith(false)
  type('a', '一')
  type('a', '一二')
  expect(box('b').value).toBe('一二')
  type('b', '自己写的')
  type('a', '三')
  expect(box('b').value).toBe('自己写的')
  type('b', '')
  type('a', '四')
  expect(box('b').value).toBe('')
})

test('a button beside the label copies another field', () => {
  const thing = entity('thing', [field('a', 'text'), field('b', 'text')])
  const fields = [
    { field: 'a', label: label('a'), span: 8, readOnly: false },
    { field: 'b', label: label('b'), span: 8, readOnly: false, copy: { label: { cn: '同上', en: 'Same' }, from: 'a' } },
  ]
  open(thing, { sections: [{ fields }] })
  type('a', '演示路18号')
  fireEvent.click(screen.getByRole('button', { name: /同\s*上/ }))
  expect(box('b').value).toBe('演示路18号')
})

test('a keystroke evaluates only the fields that read its field', () => {
  const checked: string[] = []
  const text = widgets.text
  const given = {
    ...widgets,
    text: {
      ...text,
      check: (...[value, options, context]: Parameters<typeof text.check>) => {
        checked.push(context.label.cn)
        return text.check(value, options, context)
      },
    },
  }
  const many = Array.from({ length: 60 }, (_, index) =>
    field(`n${index}`, 'text', { required: true, visibleWhen: `n${(index + 1) % 60} != 'x'` }),
  )
  const thing = entity('thing', [field('a', 'text'), field('b', 'text', { visibleWhen: "a != 'x'" }), ...many])
  open(thing, {}, { given })
  now.mockClear()
  checked.length = 0
  type('a', 'y')
  // Each evaluation of the condition reads the time once.
  expect([now.mock.calls.length, checked]).toEqual([1, []])
  type('n5', 'y')
  expect([now.mock.calls.length, checked]).toEqual([2, []])
})

test('a rule is reported at its field when the other one is left, and cleared when both agree', async () => {
  const thing = entity('thing', [field('from', 'integer'), field('to', 'integer')], {
    rules: [{ check: 'to >= from', at: 'to', message: { cn: '不能小于起始值', en: 'Must not be below the start' } }],
  })
  open(thing)
  type('from', '5')
  leave('from')
  type('to', '3')
  leave('to')
  await waitFor(() => expect(alerts('to')).toEqual(['不能小于起始值']))
  type('from', '2')
  leave('from')
  await waitFor(() => expect(alerts('to')).toEqual([]))
})

test('a warning appears at its field and does not prevent saving', async () => {
  const thing = entity('thing', [field('a', 'text'), field('b', 'choice', kinds)])
  const warning = {
    at: 'a',
    when: "a.startsWith('9') && b == 'special'",
    message: { cn: '请核对{a}', en: 'Please check {a}' },
  }
  const { request } = open(thing, { warnings: [warning] }, { answers: { '/thing/create': { id: 1, revision: 1 } } })
  type('a', '91')
  leave('a')
  expect(within(item('a')).queryByRole('status')).toBeNull()
  await choose('b', '特殊')
  expect(within(item('a')).getByRole('status').textContent).toBe('请核对91')
  submit()
  await waitFor(() =>
    expect(request.post).toHaveBeenCalledWith('/thing/create', { values: { a: '91', b: 'special' } }, withKey),
  )
})

test.skipIf(!isLong)('a warning links to its address, filled in from the record', async () => {
  const thing = entity('thing', [field('a', 'text')])
  const warning = { at: 'a', when: "a != ''", message: { cn: '打开{a}', en: 'Open {a}' }, link: '/thing?name={a}' }
  open(thing, { warnings: [warning] })
  type('a', '91')
  leave('a')
  const link = await within(item('a')).findByRole('link', { name: '打开91' })
  expect(link.getAttribute('href')).toContain('/thing?name=91')
})

test('a taken unique value is reported when the field is left', async () => {
  const thing = entity('thing', [field('a', 'text', { unique: true })])
  const { request } = open(thing, {}, { answers: { '/thing/unique': { unique: false } } })
  type('a', '启澜')
  leave('a')
  await waitFor(() => expect(alerts('a')).toEqual(['字段a“启澜”已存在']))
  expect(request.get).toHaveBeenCalledWith('/thing/unique', { field: 'a', value: '启澜', id: undefined })
})

test('a submit checks every field, shows the number of problems, and moves to the first', async () => {
  const thing = entity('thing', [
    field('a', 'text'),
    field('b', 'text', { required: true }),
    field('c', 'text', { required: true }),
  ])
  const { request } = open(thing)
  submit()
  await screen.findByText('2项需要修改')
  expect(document.activeElement).toBe(box('b'))
  expect(request.post).not.toHaveBeenCalled()
})

test('an edit sends its changes with the revision, announces them and goes back', async () => {
  const staff = entity('user', [field('name', 'text')])
  const thing = entity('thing', [
    field('a', 'text'),
    field('b', 'text'),
    field('c', 'reference', { options: { entity: 'user' } }),
  ])
  const { request, frame, announce } = edit(
    thing,
    { id: 3, revision: 8, a: '甲', b: '乙', c: { id: 9, code: null, name: '吴启' } },
    { '/thing/update': { id: 3, revision: 9 } },
    {},
    [staff],
  )
  await waitFor(() => expect(box('a').value).toBe('甲'))
  expect(frame.setBusy).toHaveBeenLastCalledWith(false)
  type('a', '丙')
  expect(frame.setDirty).toHaveBeenLastCalledWith(true)
  submit()
  await waitFor(() => expect(frame.close).toHaveBeenCalledWith({ changed: true, to: '/thing' }))
  expect(request.post.mock.calls).toEqual([['/thing/update', { id: 3, revision: 8, values: { a: '丙' } }, withKey]])
  expect([announce.mock.calls, frame.setDirty.mock.lastCall]).toEqual([[['thing']], [false]])
})

test('a button may save and then run an action, and a refused action leaves the record saved', async () => {
  const thing = entity('thing', [field('a', 'text')])
  const saveAnd = [
    {
      name: 'enable',
      label: { cn: '保存并生效', en: 'Save and enable' },
      on: 'footer' as const,
      permission: 'c',
      danger: false,
      primary: false,
      do: { kind: 'call' as const, path: '/thing/enable', form: [], keepEmpty: false },
    },
  ]
  const press = () => fireEvent.click(screen.getByRole('button', { name: '保存并生效' }))
  const first = open(thing, { saveAnd }, { answers: { '/thing/create': { id: 5, revision: 1 }, '/thing/enable': {} } })
  type('a', '甲')
  press()
  await waitFor(() => expect(first.frame.close).toHaveBeenCalledWith({ changed: true, to: '/thing' }))
  expect(first.request.post.mock.calls).toEqual([
    ['/thing/create', { values: { a: '甲' } }, withKey],
    ['/thing/enable', { id: 5, revision: 1 }, { follows: true }],
  ])
  cleanup()

  const second = edit(
    thing,
    { id: 3, revision: 8, a: '甲' },
    { '/thing/enable': new RequestError('已有生效政策', { code: 409 }) },
    { saveAnd },
  )
  await waitFor(() => expect(box('a').value).toBe('甲'))
  press()
  await waitFor(() => expect(second.frame.close).toHaveBeenCalledWith({ changed: true, to: '/thing' }))
  expect(second.request.post.mock.calls.map(([path, body]) => [path, body])).toEqual([
    ['/thing/enable', { id: 3, revision: 8 }],
  ])
  expect(await screen.findByText('已有生效政策')).toBeTruthy()
})

test('fields that are no longer part of the record are sent as empty', async () => {
  const thing = entity('thing', [
    field('kind', 'choice', kinds),
    field('a', 'text', { visibleWhen: "kind == 'special'" }),
  ])
  const { request } = edit(
    thing,
    { id: 3, revision: 8, kind: 'special', a: '甲' },
    { '/thing/update': { id: 3, revision: 9 } },
  )
  await waitFor(() => expect(box('a').value).toBe('甲'))
  await choose('kind', '普通')
  submit()
  await waitFor(() =>
    expect(request.post).toHaveBeenCalledWith(
      '/thing/update',
      { id: 3, revision: 8, values: { kind: 'plain', a: null } },
      withKey,
    ),
  )
})

test('a save with a consequence asks for confirmation first', async () => {
  const thing = entity('thing', [field('a', 'text'), field('b', 'text')], {
    display: 'b',
    facts: ['a'],
    saves: [
      {
        on: 'update',
        when: "old.b == '乙'",
        changed: ['a'],
        confirm: { cn: '{a}需重新审核，确定保存吗？', en: 'Sure?' },
        set: {},
        append: [],
        updates: [],
        notify: [],
      },
    ],
  })
  const { request } = edit(thing, { id: 3, revision: 8, a: '甲', b: '乙' }, { '/thing/update': { id: 3, revision: 9 } })
  await waitFor(() => expect(box('a').value).toBe('甲'))
  type('a', '丙')
  submit()
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('丙需重新审核，确定保存吗？')
  expect([...dialog.querySelectorAll('.record-facts > div')].map((each) => each.textContent)).toEqual([
    '字段b乙',
    '字段a丙',
  ])
  expect(request.post).not.toHaveBeenCalled()
  fireEvent.click(within(dialog).getByRole('button', { name: /保\s*存/ }))
  await waitFor(() => expect(request.post).toHaveBeenCalledOnce())
})

test.skipIf(!isLong)('an unchanged record is sent only if something follows from saving it', async () => {
  const event = { on: 'update' as const, when: "old.b == '驳回'", set: {}, append: [], updates: [], notify: [] }
  const thing = entity('thing', [field('a', 'text'), field('b', 'text', { readOnly: true })], { saves: [event] })
  const first = edit(thing, { id: 3, revision: 2, a: '甲', b: '通过' }, { '/thing/update': { id: 3, revision: 3 } })
  await waitFor(() => expect(box('a').value).toBe('甲'))
  submit()
  await waitFor(() => expect(first.frame.close).toHaveBeenCalled())
  expect(first.request.post).not.toHaveBeenCalled()
  cleanup()
  const second = edit(thing, { id: 3, revision: 2, a: '甲', b: '驳回' }, { '/thing/update': { id: 3, revision: 3 } })
  await waitFor(() => expect(box('a').value).toBe('甲'))
  submit()
  await waitFor(() =>
    expect(second.request.post).toHaveBeenCalledWith('/thing/update', { id: 3, revision: 2, values: {} }, withKey),
  )
})

test('server errors stay at their fields until these change, and errors without a field are listed', async () => {
  const thing = entity('thing', [field('a', 'text'), field('b', 'text')])
  const errors = [
    { field: 'b', code: 'taken', message: '已被占用' },
    { field: 'other', code: 'x', message: '缺少资料' },
  ]
  const { answers, frame } = open(
    thing,
    {},
    { answers: { '/thing/create': new RequestError('校验失败', { code: 422, errors }) } },
  )
  type('b', '乙')
  submit()
  await waitFor(() => expect(alerts('b')).toEqual(['已被占用']))
  expect(document.activeElement).toBe(box('b'))
  expect(screen.getByText('缺少资料')).toBeTruthy()
  expect(screen.getByText('2项需要修改')).toBeTruthy()
  type('b', '丙')
  expect(alerts('b')).toEqual([])
  answers['/thing/create'] = { id: 1, revision: 1 }
  submit()
  await waitFor(() => expect(frame.close).toHaveBeenCalled())
})

test('without a connection everything stays as typed', async () => {
  const thing = entity('thing', [field('a', 'text')])
  const { frame } = open(thing, {}, { answers: { '/thing/create': new RequestError('system error！') } })
  type('a', '甲')
  submit()
  await screen.findByText('system error！')
  expect([box('a').value, frame.close.mock.calls]).toEqual(['甲', []])
})

test('a conflict is shown side by side without a default, and the choice is saved on the new revision', async () => {
  const thing = entity('thing', [field('a', 'text'), field('b', 'text'), field('c', 'text')])
  const conflict = {
    revision: 12,
    by: '吴启',
    at: '2026-03-10 08:59:00',
    fields: {
      a: { base: '甲', theirs: '他的甲', mine: '我的甲' },
      b: { base: '乙', theirs: '他的乙', mine: '我的乙' },
    },
  }
  const { request, answers } = edit(
    thing,
    { id: 3, revision: 8, a: '甲', b: '乙', c: '丙' },
    { '/thing/update': new RequestError('冲突', { code: 409, conflict }) },
  )
  await waitFor(() => expect(box('a').value).toBe('甲'))
  type('a', '我的甲')
  type('b', '我的乙')
  type('c', '我的丙')
  submit()
  const dialog = await screen.findByRole('dialog')
  expect(
    within(dialog)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual(['字段a他的甲我的甲', '字段b他的乙我的乙'])
  const save = within(dialog).getByRole<HTMLButtonElement>('button', { name: '按所选内容保存' })
  fireEvent.click(within(dialog).getByLabelText('保留对方的字段a'))
  expect(save.disabled).toBe(true)
  fireEvent.click(within(dialog).getByLabelText('保留我的字段b'))
  answers['/thing/update'] = { id: 3, revision: 13 }
  fireEvent.click(save)
  await waitFor(() =>
    expect(request.post).toHaveBeenLastCalledWith(
      '/thing/update',
      { id: 3, revision: 12, values: { b: '我的乙', c: '我的丙' } },
      withKey,
    ),
  )
  expect(box('a').value).toBe('他的甲')
})

test.skipIf(!isLong)('an unanswered attempt is repeated with its key, and any other has a new one', async () => {
  const thing = entity('thing', [field('a', 'text')])
  const lost = new RequestError('network', { code: 0 })
  const { request, answers } = edit(thing, { id: 3, revision: 8, a: '甲' }, { '/thing/update': lost })
  await waitFor(() => expect(box('a').value).toBe('甲'))
  const keys = () => request.post.mock.calls.map(([, , options]) => (options as { key: string }).key)
  const attempt = async (value: string, count: number) => {
    type('a', value)
    submit()
    await waitFor(() => expect(request.post).toHaveBeenCalledTimes(count))
    await waitFor(() => expect(screen.getByRole('button', { name: /保\s*存/ }).className).not.toContain('loading'))
  }
  await attempt('乙', 1)
  await attempt('丙', 2)
  answers['/thing/update'] = new RequestError('refused', { code: 409 })
  await attempt('丁', 3)
  answers['/thing/update'] = { id: 3, revision: 9 }
  await attempt('戊', 4)
  await attempt('己', 5)
  const [first, second, third, fourth, fifth] = keys()
  expect([second === first, third === first, fourth === first]).toEqual([true, true, false])
  expect(fifth, 'saved, the next save is another').not.toBe(fourth)
})

test.skipIf(!isLong)(
  'a long save is followed: stopped or refused it keeps the input, and done it is like any other',
  async () => {
    const thing = entity('thing', [field('a', 'text')])
    const job = { id: 7, entity: 'thing', label: label('修改'), done: 0, steps: 1, state: 'waiting' }
    const { request, answers, frame } = edit(
      thing,
      { id: 3, revision: 8, a: '甲' },
      { '/thing/update': { job }, '/jobs/7': { ...job, state: 'cancelled' } },
    )
    await waitFor(() => expect(box('a').value).toBe('甲'))
    type('a', '乙')
    submit()
    await screen.findByRole('progressbar', { name: '正在办理' })
    await screen.findByText('已停止，未作任何更改')
    answers['/jobs/7'] = { ...job, state: 'refused', refusal: { code: 503, message: '耗时过长', result: null } }
    submit()
    await screen.findByText('耗时过长')
    expect([box('a').value, frame.close.mock.calls]).toEqual(['乙', []])
    answers['/jobs/7'] = { ...job, done: 1, state: 'done', result: { id: 3, revision: 9 } }
    submit()
    await waitFor(() => expect(frame.close).toHaveBeenCalledWith({ changed: true, to: '/thing' }))
    const keys = request.post.mock.calls.map(([, , options]) => (options as { key: string }).key)
    expect(new Set(keys).size, 'each is another attempt').toBe(3)
  },
  20_000,
)

test.skipIf(!isLong)('a form reloaded after a lost answer sends the same content as the same attempt', async () => {
  const thing = entity('thing', [field('a', 'text')])
  const lost = new RequestError('network', { code: 0 })
  const keys: string[] = []
  for (const answer of [lost, { id: 3, revision: 1 }, { id: 4, revision: 1 }]) {
    const { request } = open(thing, {}, { answers: { '/thing/create': answer } })
    type('a', '甲')
    submit()
    await waitFor(() => expect(request.post).toHaveBeenCalledOnce())
    await waitFor(() => expect(screen.getByRole('button', { name: /保\s*存/ }).className).not.toContain('loading'))
    keys.push((request.post.mock.calls[0][2] as { key: string }).key)
    cleanup()
  }
  expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false])
})

test('cancelling asks for confirmation only if something would be lost', async () => {
  const thing = entity('thing', [field('a', 'text')])
  const { frame } = open(thing)
  const cancel = screen.getByRole('button', { name: /取\s*消/ })
  fireEvent.click(cancel)
  expect(frame.close).toHaveBeenCalledOnce()
  type('a', '甲')
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
  fireEvent.click(cancel)
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('内容尚未保存，确定离开吗？')
  expect(frame.close).toHaveBeenCalledOnce()
  fireEvent.click(within(dialog).getByRole('button', { name: /确\s*定/ }))
  await waitFor(() => expect(frame.close).toHaveBeenCalledTimes(2))
  type('a', '')
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true)
})

test('a row just added is not wrong yet, and a submit reports its cells', async () => {
  const line = entity('line', [
    field('name', 'text', { required: true }),
    field('mail', 'text', { requiredWhen: "name == 'x'" }),
  ])
  const thing = entity('thing', [
    field('lines', 'rows', { options: { entity: 'line', by: 'thing', columns: ['name', 'mail'] } }),
  ])
  open(thing, {}, {}, [line])
  fireEvent.click(await screen.findByRole('button', { name: /添加一行/ }))
  const name = screen.getByLabelText<HTMLInputElement>('第1行 字段name')
  fireEvent.change(name, { target: { value: 'x' } })
  fireEvent.blur(name)
  await act(async () => undefined)
  expect(alerts('lines')).toEqual([])
  submit()
  await waitFor(() => expect(alerts('lines')).toEqual(['请输入字段mail']))
})

test.skipIf(!isLong)('reports an unknown record, and a form without an id', async () => {
  const thing = entity('thing', [field('a', 'text')])
  const first = formPlan(thing, { mode: 'edit' })
  expect(first.route).toBe('/thing/form')
  open(thing, { mode: 'edit' }, { query: {} })
  expect(screen.getByRole('alert').textContent).toContain('请从列表进入')
  cleanup()
  open(thing, { mode: 'edit' }, { query: { id: '99' } })
  await screen.findByText('数据不存在或已删除')
})

test('a read-only value is drawn by its widget, and an empty one as a dash', async () => {
  const thing = entity('thing', [field('a', 'choice', kinds), field('b', 'money'), field('c', 'text')])
  edit(thing, { id: 3, revision: 8, a: 'special', b: '1234.50', c: null }, {}, { mode: 'read' })
  await waitFor(() => expect(item('a').textContent).toContain('特殊'))
  expect(item('b').textContent).toContain('1,234.50')
  expect(item('c').textContent).toContain('—')
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('server refusals are translated when the language changes, and the input stays', async () => {
  const thing = entity('thing', [field('a', 'text'), field('b', 'text')])
  const taken = { cn: '字段a已存在', en: 'Field a already exists' }
  const busy = { cn: '请稍后重试', en: 'Please try again' }
  const { speak, answers } = open(
    thing,
    {},
    {
      answers: {
        '/thing/create': new RequestError(taken.cn, {
          code: 422,
          texts: taken,
          errors: [{ field: 'a', code: 'unique', message: taken.cn, texts: taken }],
        }),
      },
    },
  )
  type('a', '甲')
  submit()
  await waitFor(() => expect(alerts('a')).toEqual([taken.cn]))
  speak('en')
  await waitFor(() => expect(alerts('a')).toEqual([taken.en]))
  answers['/thing/create'] = new RequestError(busy.en, { code: 409, texts: busy })
  fireEvent.change(screen.getByLabelText('Field a'), { target: { value: '乙' } })
  fireEvent.click(await screen.findByRole('button', { name: /Save/ }))
  await screen.findByText(busy.en)
  speak('cn')
  expect(screen.getByText(busy.cn)).toBeTruthy()
  expect(screen.queryByText(busy.en)).toBeNull()
  expect(box('a').value).toBe('乙')
})

test('the frame is informed of the edited record and its name, but not of a new one', async () => {
  const thing = entity('thing', [field('a', 'text'), field('b', 'text')])
  const { frame } = edit(thing, { id: 3, revision: 1, a: '启澜机械', b: null })
  await waitFor(() =>
    expect(frame.setRecord).toHaveBeenLastCalledWith({ entity: 'thing', endpoint: '/thing', id: 3, name: '启澜机械' }),
  )
  cleanup()
  const { frame: other } = open(thing)
  await waitFor(() => expect(other.setBusy).toHaveBeenLastCalledWith(false))
  expect(other.setRecord).not.toHaveBeenCalled()
})

const press = (name: string, key: string, more = {}) => fireEvent.keyDown(box(name), { key, ctrlKey: true, ...more })

test('undoes and redoes input field by field, with its consequences', async () => {
  const thing = entity('thing', [
    field('a', 'text'),
    field('kind', 'choice', kinds),
    field('shown', 'text', { visibleWhen: "kind == 'special'", defaultFrom: 'a' }),
  ])
  edit(thing, { id: 3, revision: 1, a: '原来', kind: 'plain', shown: null })
  await waitFor(() => expect(box('a').value).toBe('原来'))
  type('a', '改')
  type('a', '改过')
  leave('a')
  await choose('kind', '特殊')
  type('shown', '手填')
  leave('shown')
  expect(press('shown', 'z'), 'the browser has nothing to undo').toBe(false)
  await waitFor(() => expect(box('shown').value).toBe('改过'))
  press('shown', 'z')
  await waitFor(() => expect(screen.queryByLabelText(label('shown').cn)).toBeNull())
  press('kind', 'z')
  await waitFor(() => expect(box('a').value).toBe('原来'))
  expect(document.activeElement).toBe(box('a'))
  press('a', 'z')
  expect(box('a').value).toBe('原来')
  press('a', 'y')
  press('a', 'Z', { shiftKey: true })
  await waitFor(() => expect(box('shown').value).toBe('改过'))
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true })), 'unsaved').toBe(false)
  press('kind', 'z')
  press('a', 'z')
  expect(box('a').value).toBe('原来')
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true })), 'nothing to save').toBe(true)
})

test("while a text is being typed, undo is the browser's", () => {
  const thing = entity('thing', [field('a', 'text'), field('b', 'text')])
  open(thing)
  type('a', '一')
  leave('a')
  fireEvent.keyDown(box('b'), { key: 'x' })
  type('b', '二')
  expect(press('b', 'z'), 'left to the browser').toBe(true)
  expect(box('b').value).toBe('二')
  type('b', '')
  expect(press('b', 'z')).toBe(false)
  expect(box('a').value).toBe('')
})
