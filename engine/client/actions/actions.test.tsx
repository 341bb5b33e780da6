// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { isLong } from '../../../tests/long.ts'
import { bundleOf, openScreen, user } from '../../../tests/screen.tsx'
import type { Answers } from '../../../tests/screen.tsx'
import { fieldOf, stubBrowser } from '../../../tests/stage.tsx'
import type { ActionPlan, ScreenBundle, ScreenPlan } from '../../model/model.ts'
import { RequestError } from '../RequestError.ts'

beforeAll(stubBrowser)
afterEach(cleanup)

const label = (cn: string) => ({ cn, en: cn })
const fields = [
  fieldOf('text', 'name', { maxLength: 60 }),
  fieldOf('text', 'status', { maxLength: 60 }),
  fieldOf('text', 'reason', { minLength: 5, maxLength: 60 }),
  fieldOf('json', 'changed', { of: 'changes', maxLength: 1000 }),
  { ...fieldOf('text', 'owner', { maxLength: 60 }), defaultFrom: "'我'" },
  { ...fieldOf('text', 'cause', { maxLength: 60 }), visibleWhen: "status == 'closed'" },
  { ...fieldOf('text', 'place', { maxLength: 60 }), default: '北京' },
  fieldOf('money', 'price'),
  fieldOf(
    'integer',
    'tries',
    {},
    {
      computed: { kind: 'lookup', by: 'owner', field: 'tries' },
      visibleWhen: 'tries > 0',
      hint: label('从头再来'),
    },
  ),
  fieldOf('integer', 'seats', {}, { computed: { kind: 'lookup', by: 'owner', field: 'seats' } }),
  fieldOf('references', 'helpers', { entity: 'user' }),
]
const action = (name: string, what: ActionPlan['do'], rest: Partial<ActionPlan> = {}): ActionPlan => ({
  name,
  label: label(name),
  on: 'row',
  permission: `p:${name}`,
  danger: false,
  primary: false,
  do: what,
  ...rest,
})
const call = (
  path: string,
  form: { field: string; required: boolean; defaultFrom?: string }[] = [],
): ActionPlan['do'] => ({ kind: 'call', path, form, keepEmpty: false })

/** Adds a fact, which a dialog about a record shows too. */
const withFacts = (bundle: ScreenBundle): ScreenBundle => ({
  ...bundle,
  entities: { thing: { ...bundle.entities.thing, facts: ['place'] } },
})

async function open(
  actions: ActionPlan[],
  answers: Answers = {},
  granted: Record<string, boolean> = {},
  holders: Record<string, string[]> = {},
) {
  const plan: ScreenPlan = {
    name: 'thing',
    kind: 'list',
    area: '',
    title: label('客户'),
    parameters: [],
    entity: 'thing',
    permission: '',
    noCache: false,
    file: '',
    body: {
      columns: [{ field: 'name', label: label('name'), width: 100, sum: false, sort: false, hidden: false }],
      filters: [],
      pageSize: 20,
      tabs: [],
      where: {},
      marks: [],
      actions,
      paths: { list: '/thing/list' },
    },
  }
  const list = [
    {
      id: 1,
      revision: 4,
      name: '启澜',
      status: 'pending',
      owner: '甲',
      place: '上海',
      price: '71911.89',
      helpers: '******',
      tries: 0,
      seats: 0,
    },
    { id: 2, revision: 1, name: '若谷', status: 'approved', owner: '乙', place: '上海', tries: 3, seats: 3 },
  ]
  const found = { list, total: 2, sums: {}, counts: [] }
  const seen = await openScreen({
    bundle: withFacts(bundleOf(plan, fields, { granted, holders })),
    answers: { '/thing/list': found, ...answers },
  })
  await screen.findByRole('table')
  return {
    ...seen,
    posted: () => seen.requests.filter(({ verb }) => verb === 'post').map(({ path, payload }) => [path, payload]),
  }
}
const row = (name: string) => screen.getByText(name).closest('tr')!

test('hides an action whose condition fails, which may depend on the user', async () => {
  await open([
    action('审核', call('/thing/agree'), { shownWhen: "status == 'pending'" }),
    action('管理', call('/thing/manage'), { shownWhen: "user.roles.exists(role, role == 'admin') && user.id == 1" }),
    action('他人', call('/thing/other'), { shownWhen: 'user.id == 2' }),
  ])
  expect(
    within(row('启澜'))
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual(['审核', '管理'])
  expect(
    within(row('若谷'))
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual(['管理'])
})

test('an action without permission is shown, reports that, and does nothing', async () => {
  const actions = [action('启用', call('/thing/enable')), action('详情', { kind: 'link', to: '/thing/detail?id={id}' })]
  const { posted, navigate } = await open(actions, {}, { 'p:启用': false, 'p:详情': false })
  await user.click(within(row('启澜')).getByRole('button', { name: /^启用( |$)/ }))
  expect(await screen.findByText('您没有操作权限，请向上级获取权限后再试！')).toBeTruthy()
  await user.click(within(row('启澜')).getByRole('button', { name: /^详情( |$)/ }))
  expect([posted(), navigate.mock.calls, within(row('启澜')).queryByRole('link')]).toEqual([[], [], null])
})

test('a link is a link', async () => {
  const { navigate } = await open([action('详情', { kind: 'link', to: '/thing/detail?id={id}&name={name}' })])
  const link = within(row('启澜')).getByRole('link', { name: /^详情( |$)/ })
  expect(link.getAttribute('href')).toBe('#/thing/detail?id=1&name=%E5%90%AF%E6%BE%9C')
  await user.click(link)
  expect(navigate.mock.calls).toEqual([['/thing/detail?id=1&name=%E5%90%AF%E6%BE%9C']])
})

test('a delete asks first, and shows a message when cancelled', async () => {
  const remove = action('删除', { kind: 'delete', path: '/thing/delete' }, { danger: true })
  const { posted, requests, announce } = await open([remove], { '/thing/delete': null })
  await user.click(within(row('启澜')).getByRole('button', { name: /^删除( |$)/ }))
  expect(await screen.findByRole('dialog', { name: '确定删除该数据吗？' })).toBeTruthy()
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: '取消' }))
  expect(await screen.findByText('您已取消删除操作')).toBeTruthy()
  expect(posted()).toEqual([])
  await user.click(within(row('启澜')).getByRole('button', { name: /^删除( |$)/ }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '删除' }))
  expect(await screen.findByText('删除成功')).toBeTruthy()
  expect(posted()).toEqual([['/thing/delete', { id: 1, revision: 4 }]])
  expect(announce).toHaveBeenCalledWith('thing')
  expect(requests.filter(({ path }) => path === '/thing/list')).toHaveLength(2)
})

test('an action right after another uses the updated record, or is dropped if it no longer applies', async () => {
  const list = (revision: number, status: string) => ({
    list: [{ id: 1, revision, name: '启澜', status }],
    total: 1,
    sums: {},
    counts: [],
  })
  let answer: (found: unknown) => void = () => undefined
  const reread = new Promise((resolve) => {
    answer = resolve
  })
  let read = 0
  const send = action('发送', call('/thing/send'), { shownWhen: "status == 'pending'" })
  const { posted } = await open([send, action('确认', call('/thing/confirm'))], {
    '/thing/list': () => (read++ === 0 ? list(4, 'pending') : reread),
    '/thing/send': { succeeded: 1, failed: [] },
    '/thing/confirm': { succeeded: 1, failed: [] },
  })
  const press = (name: string) => user.click(within(row('启澜')).getByRole('button', { name: RegExp(`^${name}( |$)`) }))
  await press('发送')
  expect(await screen.findByText('“发送”已完成：启澜')).toBeTruthy()
  await press('发送')
  await press('确认')
  answer(list(5, 'sent'))
  await waitFor(() => expect(posted()).toHaveLength(2))
  expect(posted()).toEqual([
    ['/thing/send', { id: 1, revision: 4, values: {} }],
    ['/thing/confirm', { id: 1, revision: 5, values: {} }],
  ])
})

test.each([true, false])(
  'a link that waits for the newest record is followed if its screen is in front: %s',
  async (stays) => {
    const found = { list: [{ id: 1, revision: 4, name: '启澜' }], total: 1, sums: {}, counts: [] }
    let answer: (found: unknown) => void = () => undefined
    const reread = new Promise((resolve) => {
      answer = resolve
    })
    let read = 0
    const { navigate, setActive } = await open(
      [
        action('发送', call('/thing/send')),
        action('详情', { kind: 'link', to: '/thing/detail?id={id}' }),
        action('确认', call('/thing/confirm')),
      ],
      { '/thing/list': () => (read++ === 0 ? found : reread), '/thing/send': { succeeded: 1, failed: [] } },
    )
    await user.click(within(row('启澜')).getByRole('button', { name: /^发送/ }))
    await screen.findByText('“发送”已完成：启澜')
    await user.click(within(row('启澜')).getByRole('button', { name: /^更多/ }))
    await user.click(screen.getByRole('menuitem', { name: '详情' }))
    expect(navigate.mock.calls).toEqual([])
    if (!stays) await setActive(false)
    await act(async () => answer(found))
    expect(navigate.mock.calls).toEqual(stays ? [['/thing/detail?id=1']] : [])
  },
)

test('a record changed by another user is refused, and read again', async () => {
  let revision = 4
  const send = action('发送', call('/thing/send', [{ field: 'reason', required: false }]))
  const { posted, requests } = await open([send], {
    '/thing/list': () => ({
      list: [{ id: 1, revision: revision++, name: '启澜', status: 'pending' }],
      total: 1,
      sums: {},
      counts: [],
    }),
    '/thing/send': () => {
      throw new RequestError('数据已被他人修改，请刷新后重试', { code: 409 })
    },
  })
  await user.click(within(row('启澜')).getByRole('button', { name: /^发送( |$)/ }))
  const dialog = await screen.findByRole('dialog', { name: '发送' })
  await user.click(within(dialog).getByRole('button', { name: '发送' }))
  expect(await screen.findByText('数据已被他人修改，请刷新后重试')).toBeTruthy()
  await waitFor(() => expect(requests.filter(({ path }) => path === '/thing/list')).toHaveLength(2))
  await user.click(within(dialog).getByRole('button', { name: '取消' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(within(row('启澜')).getByRole('button', { name: /^发送( |$)/ }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '发送' }))
  await waitFor(() => expect(posted()).toHaveLength(2))
  expect(posted().map(([, sent]) => sent)).toMatchObject([{ revision: 4 }, { revision: 5 }])
})

test('a dialog prompts for the fields that the target state needs', async () => {
  const close = action('关闭', {
    kind: 'call',
    path: '/thing/close',
    form: [{ field: 'cause', required: true }],
    keepEmpty: false,
    transition: { field: 'status', from: ['open'], to: 'closed' },
  })
  const { posted } = await open([close], { '/thing/close': { succeeded: 1, failed: [] } })
  await user.click(within(row('启澜')).getByRole('button', { name: /^关闭( |$)/ }))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: '关闭' }))
  expect(posted()).toEqual([])
  await user.type(await within(dialog).findByRole('textbox'), '合同到期')
  await user.click(within(dialog).getByRole('button', { name: '关闭' }))
  await waitFor(() =>
    expect(posted()).toEqual([['/thing/close', { id: 1, revision: 4, values: { cause: '合同到期' } }]]),
  )
})

test('a dialog shows a computed field with its hint, where its condition leaves it visible', async () => {
  const form = ['tries', 'reason'].map((field) => ({ field, required: false }))
  await open([action('作废', call('/thing/void', form))])
  for (const [name, shown] of [
    ['启澜', []],
    ['若谷', ['3']],
  ] as const) {
    await user.click(within(row(name)).getByRole('button', { name: /^作废( |$)/ }))
    const dialog = await screen.findByRole('dialog')
    expect(
      within(dialog)
        .queryAllByRole('status')
        .map(({ textContent }) => textContent),
    ).toEqual(shown)
    expect(within(dialog).queryAllByText('从头再来')).toHaveLength(shown.length)
    await user.click(within(dialog).getByRole('button', { name: '取消' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
})

test('a dialog sends the revisions that it was prepared from', async () => {
  const prepared = action('核销', {
    kind: 'call',
    path: '/thing/match',
    prepare: '/thing/match/prepare',
    form: [{ field: 'reason', required: false }],
    keepEmpty: false,
  })
  const seen = { bill: { 7: 3 } }
  const { posted } = await open([prepared], {
    '/thing/match/prepare': { values: { reason: '按到期日先后' }, seen },
    '/thing/match': { succeeded: 1, failed: [] },
  })
  await user.click(within(row('启澜')).getByRole('button', { name: /^核销( |$)/ }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '核销' }))
  await waitFor(() => expect(posted()).toHaveLength(2))
  expect(posted()).toEqual([
    ['/thing/match/prepare', { id: 1, revision: 4 }],
    ['/thing/match', { id: 1, revision: 4, seen, values: { reason: '按到期日先后' } }],
  ])
})

test('shows what a call would do first, and makes it after confirmation', async () => {
  const enable = action('生效', { ...call('/thing/enable'), foresee: '/thing/enable/foresee' } as ActionPlan['do'])
  const label = { cn: '涉及人数', en: 'People' }
  const outlook = {
    facts: [{ label, value: { cn: '12', en: '12' } }],
    lists: [
      { label: { cn: '任务', en: 'Tickets' }, items: [{ name: 'T001', about: { cn: '增员', en: 'Add' } }], more: 3 },
      { label: { cn: '您无权查看的任务', en: 'Tickets that you may not view' }, items: [], more: 2 },
    ],
  }
  const { posted } = await open([enable], {
    '/thing/enable/foresee': outlook,
    '/thing/enable': { succeeded: 1, failed: [] },
  })
  const answerQuestion = async (answer: string) => {
    await user.click(within(row('启澜')).getByRole('button', { name: /^生效( |$)/ }))
    const dialog = await screen.findByRole('dialog')
    // The dialog names its record.
    expect(dialog.textContent).toContain('启澜')
    expect(dialog.textContent).toContain('涉及人数12')
    expect(dialog.textContent).toContain('任务（4）T001 增员另有3条')
    expect(dialog.textContent).toMatch(/您无权查看的任务（2）(?!另有)/)
    await user.click(within(dialog).getByRole('button', { name: answer }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await answerQuestion('取消')
  expect(posted().map(([path]) => path)).toEqual(['/thing/enable/foresee'])
  await answerQuestion('生效')
  await waitFor(() => expect(posted()).toHaveLength(3))
  expect(posted()[2]).toEqual(['/thing/enable', { id: 1, revision: 4, values: {} }])
})

test('the question of an action with an outlook is asked once, with the outlook', async () => {
  const form = [{ field: 'reason', required: false }]
  const plan = (given: typeof form) => ({ ...call('/thing/enable', given), foresee: '/thing/enable/foresee' })
  const actions = [form, []].map((given, index) =>
    action(['生效', '直接生效'][index], plan(given), { confirm: label('{name}将重新计算，确定吗？') }),
  )
  await open(actions, { '/thing/enable/foresee': { facts: [], lists: [] } })
  const start = (name: string) =>
    user.click(within(row('启澜')).getByRole('button', { name: new RegExp(`^${name}( |$)`) }))
  const question = '启澜将重新计算，确定吗？'
  await start('生效')
  const prompt = await screen.findByRole('dialog')
  expect(prompt.textContent).not.toContain(question)
  await user.click(within(prompt).getByRole('button', { name: '生效' }))
  expect(await screen.findAllByText(question)).not.toEqual([])
  expect(prompt.textContent).not.toContain(question)
  cleanup()
  await open(actions, { '/thing/enable/foresee': { facts: [], lists: [] } })
  await start('直接生效')
  expect(await screen.findAllByText(question)).not.toEqual([])
})

test('what an action requires is prompted for without a record, whatever shows it on one', async () => {
  const close = action('批量关闭', call('/thing/closeAll', [{ field: 'cause', required: true }]), { on: 'toolbar' })
  const { posted } = await open([close], { '/thing/closeAll': { succeeded: 1, failed: [] } })
  await user.click(screen.getByRole('button', { name: '批量关闭' }))
  const dialog = await screen.findByRole('dialog')
  await user.type(within(dialog).getByLabelText('cause'), '合同到期')
  await user.click(within(dialog).getByRole('button', { name: '批量关闭' }))
  await waitFor(() => expect(posted()).toEqual([['/thing/closeAll', { values: { cause: '合同到期' } }]]))
})

test('what a dialog over several records shows without prompting is said of each', async () => {
  const close = action('关闭', call('/thing/close', [{ field: 'seats', required: false }]), { on: 'batch' })
  await open([close])
  for (const name of ['启澜', '若谷']) await user.click(within(row(name)).getByRole('checkbox'))
  await user.click(screen.getByRole('button', { name: '关闭（2）' }))
  const dialog = await screen.findByRole('dialog', { name: '关闭' })
  expect(within(dialog).getByLabelText('seats').textContent).toBe('启澜 0、若谷 3')
})

/** An action with an outlook that is answered later. */
async function openForeseen(form: { field: string; required: boolean }[] = [], prepare?: string) {
  const plan = { ...call('/thing/enable', form), foresee: '/thing/enable/foresee', ...(prepare && { prepare }) }
  const answers: (() => void)[] = []
  const opened = await open([action('生效', plan as ActionPlan['do'])], {
    '/thing/enable/foresee': () => new Promise((resolve) => answers.push(() => resolve({ facts: [], lists: [] }))),
    '/thing/enable': { succeeded: 1, failed: [] },
    ...(prepare && { [prepare]: { values: {}, seen: { bill: { 11: 3 } } } }),
  })
  const press = () => user.click(within(row('启澜')).getByRole('button', { name: /^生效( |$)/ }))
  const paths = () => opened.posted().map(([path]) => path)
  return { ...opened, press, paths, answers }
}

test('a second click loads no second outlook, and Enter does not confirm the first', async () => {
  const { press, paths, answers } = await openForeseen()
  await press()
  await press()
  await waitFor(() => expect(answers).not.toEqual([]))
  await act(async () => answers.forEach((answer) => answer()))
  const dialog = await screen.findByRole('dialog')
  expect(paths()).toEqual(['/thing/enable/foresee'])
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: '取消' })))
})

test('a dialog that was cancelled while its outlook was loaded does not ask again', async () => {
  const { press, paths, answers } = await openForeseen([{ field: 'reason', required: false }])
  const submit = async () => {
    await press()
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: '生效' }))
    return dialog
  }
  const dialog = await submit()
  await waitFor(() => expect(answers).toHaveLength(1))
  await user.click(within(dialog).getByRole('button', { name: '取消' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await act(async () => answers[0]())
  expect(screen.queryByRole('dialog')).toBeNull()
  // The next one asks.
  await submit()
  await waitFor(() => expect(answers).toHaveLength(2))
  await act(async () => answers[1]())
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(2))
  expect(paths()).toEqual(['/thing/enable/foresee', '/thing/enable/foresee'])
})

test('an outlook is of what the dialog was opened with', async () => {
  const { press, posted, answers } = await openForeseen([{ field: 'reason', required: false }], '/thing/enable/prepare')
  await press()
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '生效' }))
  await waitFor(() => expect(answers).toHaveLength(1))
  expect(posted().at(-1)).toEqual([
    '/thing/enable/foresee',
    { id: 1, revision: 4, seen: { bill: { 11: 3 } }, values: { reason: null } },
  ])
})

test('a batch dialog begins empty, shows common values, and sends only what is entered', async () => {
  const form = ['owner', 'place'].map((field) => ({ field, required: false }))
  const assign = action('分配', { kind: 'call', path: '/thing/assign', form, keepEmpty: true }, { on: 'batch' })
  const { posted } = await open([assign], { '/thing/assign': { succeeded: 2, failed: [] } })
  for (const name of ['启澜', '若谷']) await user.click(within(row(name)).getByRole('checkbox'))
  await user.click(screen.getByRole('button', { name: '分配（2）' }))
  const dialog = await screen.findByRole('dialog', { name: '分配' })
  const box = (name: string) => within(dialog).getByLabelText(name) as HTMLInputElement
  expect(form.map(({ field }) => [box(field).value, box(field).placeholder])).toEqual([
    ['', '多个值'],
    ['', '上海'],
  ])
  const submit = () => user.click(within(dialog).getByRole('button', { name: '分配' }))
  await submit()
  expect((await within(dialog).findByRole('alert')).textContent).toBe('请至少填写一项')
  await user.type(box('owner'), '丙')
  await submit()
  await waitFor(() =>
    expect(posted()).toEqual([
      ['/thing/assign', { ids: [1, 2], seen: { thing: { 1: 4, 2: 1 } }, values: { owner: '丙' } }],
    ]),
  )
  expect(await screen.findByText('成功2条：已更改owner')).toBeTruthy()
})

test('the way back from a question does not read like the action', async () => {
  await open([
    action('取消确认', call('/thing/undo'), { confirm: label('确定吗？') }),
    action('提交', call('/thing/submit', [{ field: 'reason', required: true }])),
  ])
  const buttons = async (name: string) => {
    await user.click(within(row('启澜')).getByRole('button', { name: RegExp(`^${name}( |$)`) }))
    const dialog = await screen.findByRole('dialog')
    return [...dialog.querySelectorAll('.ant-modal-footer button, .ant-modal-confirm-btns button')].map(
      (button) => button.textContent,
    )
  }
  expect(await buttons('取消确认')).toEqual(['返回', '取消确认'])
  await user.click(screen.getByRole('button', { name: '返回' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await buttons('提交')).toEqual(['取消', '提交'])
})

test('a confirmation shows amounts as other places do', async () => {
  await open([action('提交', call('/thing/submit'), { confirm: label('确定提交吗？合计{price}') })])
  await user.click(within(row('启澜')).getByRole('button', { name: /^提交( |$)/ }))
  expect(await screen.findByRole('dialog', { name: '确定提交吗？合计￥71,911.89' })).toBeTruthy()
})

test.skipIf(!isLong)('a confirmation shows a dash for an empty value', async () => {
  await open([action('提交', call('/thing/submit'), { confirm: label('确定提交吗？合计{price}') })])
  await user.click(within(row('若谷')).getByRole('button', { name: /^提交( |$)/ }))
  expect(await screen.findByRole('dialog', { name: '确定提交吗？合计–' })).toBeTruthy()
})

test('fills values into a confirmation text', async () => {
  const disable = action('停用', call('/thing/disable'), { confirm: label('确定停用{name}等{n}个客户吗？') })
  const { posted } = await open([disable], { '/thing/disable': { succeeded: 1, failed: [] } })
  await user.click(within(row('若谷')).getByRole('button', { name: /^停用( |$)/ }))
  expect(await screen.findByRole('dialog', { name: '确定停用若谷等1个客户吗？' })).toBeTruthy()
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: '停用' }))
  expect(await screen.findByText('“停用”已完成：若谷')).toBeTruthy()
  expect(posted()).toEqual([['/thing/disable', { id: 2, revision: 1, values: {} }]])
})

test.skipIf(!isLong)('fills values into a confirmation within a review, too', async () => {
  const reject = action('驳回', call('/thing/reject', [{ field: 'reason', required: true }]), {
    confirm: label('确定驳回{name}吗？'),
  })
  await open([action('审核', { kind: 'review', show: ['name'], calls: [reject] })], {
    '/thing/detail': { id: 1, revision: 4, name: '启澜机械', status: 'pending' },
  })
  await user.click(within(row('启澜')).getByRole('button', { name: /^审核( |$)/ }))
  const dialog = await screen.findByRole('dialog', { name: '审核' })
  await within(dialog).findByText('启澜机械')
  await user.click(within(dialog).getByRole('button', { name: /驳\s*回/ }))
  expect(await within(dialog).findByText('确定驳回启澜机械吗？')).toBeTruthy()
})

test('a form demands required fields, checks them, and shows what the server refuses', async () => {
  let refused = false
  const { posted } = await open([action('驳回', call('/thing/reject', [{ field: 'reason', required: true }]))], {
    '/thing/reject': () => {
      if (refused) return { succeeded: 1, failed: [] }
      refused = true
      throw new RequestError('有误', { code: 422, errors: [{ field: 'reason', code: 'x', message: '原因太笼统' }] })
    },
  })
  await user.click(within(row('启澜')).getByRole('button', { name: /^驳回( |$)/ }))
  const dialog = await screen.findByRole('dialog', { name: '驳回' })
  const submit = () => user.click(within(dialog).getByRole('button', { name: '驳回' }))
  // The mark stands after the label, as in a form.
  expect(within(dialog).getByText('reason', { selector: 'label' }).parentElement?.textContent).toBe('reason*')
  await submit()
  expect(within(dialog).getByRole('alert').textContent).toBe('请输入reason')
  expect(document.activeElement).toBe(within(dialog).getByLabelText(/reason$/))
  await user.type(within(dialog).getByLabelText(/reason$/), '短')
  await submit()
  expect(within(dialog).getByRole('alert').textContent).not.toBe('请输入reason')
  expect(posted()).toEqual([])
  await user.type(within(dialog).getByLabelText(/reason$/), '短了一些的原因')
  await submit()
  await waitFor(() => expect(within(dialog).getByRole('alert').textContent).toBe('原因太笼统'))
  await submit()
  expect(await screen.findByText('“驳回”已完成：启澜')).toBeTruthy()
  expect(posted().at(-1)).toEqual(['/thing/reject', { id: 1, revision: 4, values: { reason: '短了一些的原因' } }])
})

test('a review shows the current record and its changes, and prompts in the same dialog', async () => {
  const { posted } = await open(
    [
      action('审核', {
        kind: 'review',
        show: ['name', 'changed'],
        calls: [
          action('驳回', call('/thing/reject', [{ field: 'reason', required: true }]), { danger: true }),
          action('通过', call('/thing/agree')),
        ],
      }),
    ],
    {
      '/thing/detail': {
        id: 1,
        revision: 5,
        name: '启澜机械',
        changed: [
          { field: 'parent', label: label('上级'), old: '', new: '重点 / 制造' },
          { field: 'name', label: label('名称'), old: '启澜', new: '启澜机械' },
        ],
      },
      '/thing/reject': null,
    },
  )
  await user.click(within(row('启澜')).getByRole('button', { name: /^审核( |$)/ }))
  const dialog = await screen.findByRole('dialog', { name: '审核' })
  const lines = () =>
    within(dialog)
      .getAllByRole('row')
      .map((line) => line.textContent)
  await waitFor(() => expect(lines()).toEqual(['字段修改前修改后', '上级–重点 / 制造', '名称启澜启澜机械']))
  await user.click(within(dialog).getByRole('button', { name: '驳回' }))
  await user.type(within(dialog).getByLabelText(/reason$/), '营业执照不清晰')
  await user.click(within(dialog).getByRole('button', { name: '驳回' }))
  await waitFor(() =>
    expect(posted()).toEqual([['/thing/reject', { id: 1, revision: 5, values: { reason: '营业执照不清晰' } }]]),
  )
})

test.skipIf(!isLong)('a review opened again does not show the former state of its record', async () => {
  const pending = { list: [{ id: 1, revision: 4, name: '启澜', status: 'pending' }], total: 1, sums: {}, counts: [] }
  const later = { ...pending, list: [{ id: 1, revision: 6, name: '启澜', status: 'approved' }] }
  let read = 0
  const { posted, requests } = await open(
    [
      action('审核', {
        kind: 'review',
        show: ['name'],
        calls: [
          action('通过', call('/thing/agree'), { shownWhen: "status == 'pending'" }),
          action('停用', call('/thing/disable'), { shownWhen: "status == 'approved'" }),
        ],
      }),
    ],
    {
      '/thing/list': () => (read++ === 0 ? pending : later),
      '/thing/detail': () =>
        requests.filter(({ path }) => path === '/thing/detail').length > 1
          ? new Promise(() => undefined)
          : { id: 1, revision: 4, name: '启澜机械', status: 'pending' },
      '/thing/agree': { succeeded: 1, failed: [] },
      '/thing/disable': { succeeded: 1, failed: [] },
    },
  )
  const review = async () => {
    await user.click(within(row('启澜')).getByRole('button', { name: /^审核( |$)/ }))
    return screen.findByRole('dialog', { name: '审核' })
  }
  const first = await review()
  await within(first).findByText('启澜机械')
  await user.click(within(first).getByRole('button', { name: /通\s*过/ }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const again = await review()
  await user.click(await within(again).findByRole('button', { name: /停\s*用/ }))
  await waitFor(() => expect(posted()).toHaveLength(2))
  expect(posted()[1]).toEqual(['/thing/disable', { id: 1, revision: 6, values: {} }])
})

test.skipIf(!isLong)('a review of an unchanged record compares nothing', async () => {
  await open(
    [action('审核', { kind: 'review', show: ['name', 'changed'], calls: [action('通过', call('/thing/agree'))] })],
    {
      '/thing/detail': { id: 1, revision: 5, name: '启澜机械', changed: null },
    },
  )
  await user.click(within(row('启澜')).getByRole('button', { name: /^审核( |$)/ }))
  const dialog = await screen.findByRole('dialog', { name: '审核' })
  await within(dialog).findByText('启澜机械')
  expect([within(dialog).queryByRole('table'), within(dialog).queryByText('changed')]).toEqual([null, null])
})

test('a prompted field starts with its formula if the record has no value', async () => {
  const { posted } = await open(
    [
      action(
        '终止',
        call('/thing/end', [
          { field: 'reason', required: true, defaultFrom: "'停业：' + name" },
          { field: 'name', required: false, defaultFrom: "'别名'" },
        ]),
      ),
    ],
    { '/thing/end': null },
  )
  await user.click(within(row('启澜')).getByRole('button', { name: /^终止( |$)/ }))
  const dialog = await screen.findByRole('dialog', { name: '终止' })
  await waitFor(() => expect((within(dialog).getByLabelText(/reason$/) as HTMLInputElement).value).toBe('停业：启澜'))
  await user.click(within(dialog).getByRole('button', { name: '终止' }))
  await waitFor(() =>
    expect(posted()).toEqual([['/thing/end', { id: 1, revision: 4, values: { reason: '停业：启澜', name: '启澜' } }]]),
  )
})

test('all actions of a row but the next are in a menu, which keys can reach', async () => {
  const { posted } = await open(
    ['a', 'b', 'c', 'd', 'e'].map((name) => action(name, call(`/thing/${name}`))),
    { '/thing/e': null },
  )
  const buttons = within(row('启澜')).getAllByRole('button')
  expect(buttons.map((button) => button.textContent)).toEqual(['a', '更多'])
  await user.click(buttons[1])
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['b', 'c', 'd', 'e'])
  expect(document.activeElement?.textContent).toBe('b')
  await user.press('Escape')
  expect([screen.queryByRole('menu'), document.activeElement]).toEqual([null, buttons[1]])
  await user.press('ArrowDown')
  await user.press('End')
  await user.click(document.activeElement!)
  await waitFor(() => expect(posted()).toEqual([['/thing/e', { id: 1, revision: 4, values: {} }]]))
})

test.skipIf(!isLong)(
  'the menu of a row stays while another part of the page scrolls, and closes when its row leaves',
  async () => {
    await open(['a', 'b', 'c', 'd', 'e'].map((name) => action(name, call(`/thing/${name}`))))
    const more = within(row('启澜')).getByRole('button', { name: /^更多( |$)/ })
    await user.click(more)
    fireEvent.scroll(window)
    expect(screen.getAllByRole('menuitem')).toHaveLength(4)
    more.getBoundingClientRect = () => new DOMRect(0, -40, 20, 10)
    fireEvent.scroll(window)
    expect(screen.queryByRole('menu')).toBeNull()
  },
)

test('a dialog without a record follows the formulas of its fields until another value is entered', async () => {
  const due = { ...fieldOf('text', 'due', { maxLength: 60 }), defaultFrom: 'name' }
  const plan: ScreenPlan = {
    name: 'thing',
    kind: 'list',
    area: '',
    title: label('客户'),
    parameters: [],
    entity: 'thing',
    permission: '',
    noCache: false,
    file: '',
    body: {
      columns: [{ field: 'name', label: label('name'), width: 100, sum: false, sort: false, hidden: false }],
      filters: [],
      pageSize: 20,
      tabs: [],
      where: {},
      marks: [],
      actions: [
        action(
          '生成',
          call('/thing/make', [
            { field: 'name', required: true },
            { field: 'due', required: true },
          ]),
          { on: 'toolbar' },
        ),
      ],
      paths: { list: '/thing/list' },
    },
  }
  const { requests } = await openScreen({
    bundle: bundleOf(plan, [{ ...fields[0], defaultFrom: "'三月'" }, due]),
    answers: {
      '/thing/list': { list: [], total: 0, sums: {}, counts: [] },
      '/thing/make': { succeeded: 2, failed: [] },
    },
  })
  await user.click(await screen.findByRole('button', { name: '生成' }))
  const dialog = await screen.findByRole('dialog', { name: '生成' })
  const box = (name: string) => within(dialog).getByLabelText(new RegExp(`${name}$`)) as HTMLInputElement
  await waitFor(() => expect([box('name').value, box('due').value]).toEqual(['三月', '三月']))
  await user.type(box('name'), '四月')
  await waitFor(() => expect(box('due').value).toBe('四月'))
  await user.type(box('due'), '五月')
  await user.type(box('name'), '六月')
  expect(box('due').value).toBe('五月')
  await user.click(within(dialog).getByRole('button', { name: '生成' }))
  await waitFor(() =>
    expect(requests.filter(({ verb }) => verb === 'post').map(({ payload }) => payload)).toEqual([
      { values: { name: '六月', due: '五月' } },
    ]),
  )
  expect(await screen.findByText('“生成”已完成：客户2条')).toBeTruthy()
})

test('shows a generated password, with its user, until it is confirmed', async () => {
  await open([action('重置密码', call('/thing/resetPassword'))], {
    '/thing/resetPassword': { succeeded: 1, failed: [], passwords: [{ id: 2, password: 'k7Qp-4vTz' }] },
  })
  await user.click(within(row('若谷')).getByRole('button', { name: /^重置密码( |$)/ }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText('k7Qp-4vTz').closest('tr')!.textContent).toContain('若谷')
  await user.click(within(dialog).getByRole('button', { name: '确定' }))
  await waitFor(() => {
    expect(screen.queryByText('k7Qp-4vTz')).toBeNull()
  })
})

test.skipIf(!isLong)('an action is done even if one of its files cannot be downloaded', async () => {
  const reset = action('重置密码', call('/thing/resetPassword', [{ field: 'reason', required: false }]))
  const { requests, announce } = await open([reset], {
    '/thing/resetPassword': {
      succeeded: 1,
      failed: [],
      files: [{ url: '/api/files/1' }, { url: '/api/files/2' }],
      passwords: [{ id: 2, password: 'k7Qp-4vTz' }],
    },
    '/files/1': () => {
      throw new RequestError('文件下载失败', { code: 500 })
    },
    '/files/2': null,
  })
  await user.click(within(row('若谷')).getByRole('button', { name: /^重置密码( |$)/ }))
  const dialog = await screen.findByRole('dialog', { name: '重置密码' })
  await user.click(within(dialog).getByRole('button', { name: '重置密码' }))
  expect(await screen.findByText('文件下载失败')).toBeTruthy()
  await user.click(
    within((await screen.findByText('k7Qp-4vTz')).closest('[role=dialog]')!).getByRole('button', { name: '确定' }),
  )
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const paths = requests.map(({ path }) => path)
  expect(paths.filter((path) => path === '/thing/resetPassword')).toHaveLength(1)
  expect(paths.filter((path) => path === '/thing/list')).toHaveLength(2)
  expect(paths.filter((path) => path.startsWith('/files'))).toEqual(['/files/1', '/files/2'])
  expect(announce).toHaveBeenCalledWith('thing')
})

test('an action without permission looks unavailable, names who may act, and reports the refusal', async () => {
  const plans = ['一', '二', '三', '四'].map((name) => action(name, call(`/thing/${name}`)))
  const { posted } = await open(
    [...plans, action('五', call('/thing/5'), { on: 'toolbar', primary: true })],
    { '/messages/remind': { reminded: 3 } },
    { 'p:一': false, 'p:四': false, 'p:五': false },
    { 'p:一': ['财务经理', '薪资审批'], 'p:五': [] },
  )
  // An action that the user may perform is in the row, and names its record.
  const next = within(row('启澜')).getByRole('button', { name: '二 启澜' })
  expect(within(row('启澜')).getByRole('button', { name: '更多 启澜' })).toBeTruthy()
  expect(next.getAttribute('data-refused')).toBeNull()
  const five = screen.getByRole('button', { name: '五', description: '您没有此操作的权限' })
  expect(five.className).not.toContain('primary')
  fireEvent.click(within(row('启澜')).getByRole('button', { name: /^更多( |$)/ }))
  await screen.findByRole('menuitem', { name: '四', description: '您没有此操作的权限' })
  fireEvent.click(screen.getByRole('menuitem', { name: '一', description: '仅财务经理和薪资审批可操作' }))
  await screen.findByText('您没有操作权限，请向上级获取权限后再试！')
  expect(posted()).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: '提醒财务经理和薪资审批' }))
  await screen.findByText('已提醒3人')
  expect(posted()).toEqual([['/messages/remind', { screen: 'thing', entity: 'thing', action: '一', id: 1 }]])
  // Nobody else has the permission, or there is no record: no reminder is offered.
  fireEvent.click(five)
  await screen.findAllByText('您没有操作权限，请向上级获取权限后再试！')
  expect(screen.queryByRole('button', { name: /^提醒/ })).toBeNull()
})

const agree = action('通过', call('/thing/agree'))
test.each<[string, ActionPlan['do'], ActionPlan['on']]>([
  ['review', { kind: 'review', show: ['name'], calls: [agree] }, 'row'],
  ['drawer', { kind: 'drawer', screen: 'other', query: {} }, 'row'],
  ['link', { kind: 'link', to: '/other?id={id}' }, 'row'],
  ['drawer over one chosen record', { kind: 'drawer', screen: 'other', query: {} }, 'batch'],
])('a refused %s can be reminded of', async (_, what, on) => {
  const { posted } = await open(
    [action('付款', what, { on })],
    { '/messages/remind': { reminded: 2 } },
    { 'p:付款': false },
    { 'p:付款': ['出纳'] },
  )
  if (on === 'batch') await user.click(within(row('启澜')).getByRole('checkbox'))
  await user.click(screen.getAllByRole('button', { name: /^付款( |（|$)/ })[0])
  await user.click(await screen.findByRole('button', { name: '提醒出纳' }))
  await screen.findByText('已提醒2人')
  expect(posted()).toEqual([['/messages/remind', { screen: 'thing', entity: 'thing', action: '付款', id: 1 }]])
})

test('nobody is reminded of an edit, unless it is offered only in certain states', async () => {
  const link = { kind: 'link', to: '/thing/edit?id={id}' } as const
  const holders = { 'p:edit': ['出纳'] }
  await open([action('edit', link)], {}, { 'p:edit': false }, holders)
  await user.click(within(row('启澜')).getByRole('button', { name: /^edit( |$)/ }))
  await screen.findByText('您没有操作权限，请向上级获取权限后再试！')
  expect(screen.queryByRole('button', { name: /^提醒/ })).toBeNull()
  cleanup()
  await open([action('edit', link, { shownWhen: "name != ''" })], {}, { 'p:edit': false }, holders)
  await user.click(within(row('启澜')).getByRole('button', { name: /^edit( |$)/ }))
  await screen.findByRole('button', { name: '提醒出纳' })
})

test('an action may be called "more"', async () => {
  const plans = ['more', '二', '三', '四'].map((name) => action(name, call(`/thing/${name}`)))
  await open(plans)
  const ids = [...row('启澜').querySelectorAll('[id]')].map(({ id }) => id)
  expect(ids.filter((id) => id.endsWith('more'))).toHaveLength(2)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a refused decision of a review can be reminded of', async () => {
  const { posted } = await open(
    [action('审核', { kind: 'review', show: ['name'], calls: [agree] })],
    { '/messages/remind': { reminded: 2 }, '/thing/detail': { id: 1, revision: 4, name: '启澜', status: 'pending' } },
    { 'p:通过': false },
    { 'p:通过': ['客户经理'] },
  )
  await user.click(within(row('启澜')).getByRole('button', { name: /^审核( |$)/ }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /通\s*过/ }))
  await user.click(await screen.findByRole('button', { name: '提醒客户经理' }))
  await screen.findByText('已提醒2人')
  expect(posted()).toEqual([['/messages/remind', { screen: 'thing', entity: 'thing', action: '通过', id: 1 }]])
})

test('a dialog shows number, name and facts of one record, and names and facts of several', async () => {
  await open([
    action('作废', call('/thing/void', [{ field: 'reason', required: true }])),
    action('启用', call('/thing/enable'), { confirm: label('确定吗？') }),
    action('批量', call('/thing/many'), { on: 'batch', confirm: label('全部吗？') }),
  ])
  const pairs = (dialog: HTMLElement) =>
    [...dialog.querySelectorAll('.record-facts > div')].map((each) => each.textContent)
  fireEvent.click(within(row('启澜')).getByRole('button', { name: /^作废( |$)/ }))
  expect(pairs(await screen.findByRole('dialog'))).toEqual(['name启澜', 'place上海'])
  cleanup()
  await open([action('启用', call('/thing/enable'), { confirm: label('确定吗？') })])
  fireEvent.click(within(row('若谷')).getByRole('button', { name: /^启用( |$)/ }))
  expect(pairs(await screen.findByRole('dialog'))).toEqual(['name若谷', 'place上海'])
  cleanup()
  await open([action('批量', call('/thing/many'), { on: 'batch', confirm: label('全部吗？') })])
  for (const box of screen.getAllByRole('checkbox').slice(1)) fireEvent.click(box)
  fireEvent.click(screen.getByRole('button', { name: '批量（2）' }))
  expect(pairs(await screen.findByRole('dialog'))).toEqual(['所选数据启澜、若谷', 'place上海'])
})

test('a long call shows its progress, can be stopped, and reports its result', async () => {
  const job = { id: 7, entity: 'thing', label: label('办理 · 客户'), done: 0, steps: 3, state: 'waiting' }
  let now: object = { ...job, done: 1 }
  const { requests } = await open([action('办理', call('/thing/do'))], {
    '/thing/do': { job },
    '/jobs/7': () => now,
    '/jobs/cancel': () => (now = { ...job, done: 1, state: 'cancelled', result: { succeeded: 1, failed: [] } }),
  })
  await user.click(within(row('启澜')).getByRole('button', { name: /^办理( |$)/ }))
  const progress = await screen.findByRole('progressbar', { name: '已完成1/3' })
  expect(progress.getAttribute('value')).toBe('1')
  await user.click(screen.getByRole('button', { name: '停止办理' }))
  await screen.findByText('已停止，此前成功1条')
  expect(requests).toContainEqual({ verb: 'post', path: '/jobs/cancel', payload: { id: 7 } })
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
})

test('a preview that takes long says that nothing has been changed yet, and is gone as soon as it is stopped', async () => {
  const job = {
    id: 9,
    entity: 'thing',
    label: label('生效 · 客户'),
    preview: true,
    done: 0,
    steps: 1,
    state: 'waiting',
  }
  // The server ends it only after the step that it is in.
  const { posted } = await open(
    [action('生效', { ...call('/thing/enable'), foresee: '/thing/enable/foresee' } as ActionPlan['do'])],
    { '/thing/enable/foresee': { job }, '/jobs/9': job, '/jobs/cancel': job },
  )
  await user.click(within(row('启澜')).getByRole('button', { name: /^生效( |$)/ }))
  await screen.findByText('正在试算，尚未办理')
  await user.click(screen.getByRole('button', { name: '停止试算' }))
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
  expect(posted().map(([path]) => path)).toEqual(['/thing/enable/foresee', '/jobs/cancel'])
})

test('a preview of a part says so, and everything is previewed on demand', async () => {
  const fact = (value: string) => ({ label: label('试算范围'), value: label(value) })
  const { posted } = await open(
    [action('生效', { ...call('/thing/enable'), foresee: '/thing/enable/foresee' } as ActionPlan['do'])],
    {
      '/thing/enable/foresee': ({ thorough }: { thorough?: boolean }) =>
        thorough ? { facts: [fact('47项')], lists: [] } : { facts: [fact('前2项，共47项')], lists: [], partial: true },
      '/thing/enable': { succeeded: 47, failed: [] },
    },
  )
  await user.click(within(row('启澜')).getByRole('button', { name: /^生效( |$)/ }))
  await screen.findByText('前2项，共47项')
  await user.click(screen.getByRole('button', { name: '试算全部' }))
  await screen.findByText('47项')
  expect(screen.queryByRole('button', { name: '试算全部' })).toBeNull()
  expect(posted().map(([path, sent]) => [path, (sent as { thorough?: boolean }).thorough])).toEqual([
    ['/thing/enable/foresee', undefined],
    ['/thing/enable/foresee', true],
  ])
  await user.click(within(screen.getAllByRole('dialog').at(-1)!).getByRole('button', { name: '生效' }))
  await waitFor(() => expect(posted().map(([path]) => path)).toContain('/thing/enable'))
})

test.skipIf(!isLong)('a later refusal is reported like an immediate one', async () => {
  const job = { id: 8, entity: 'thing', label: label('办理 · 客户'), done: 0, steps: 1, state: 'waiting' }
  const refusal = { code: 409, message: '当前状态不允许此操作', result: null }
  await open([action('办理', call('/thing/do'))], {
    '/thing/do': { job },
    '/jobs/8': { ...job, state: 'refused', refusal },
  })
  await user.click(within(row('启澜')).getByRole('button', { name: /^办理( |$)/ }))
  await screen.findByText('当前状态不允许此操作')
})

test('a late answer to an earlier action does not replace the dialog of a later one', async () => {
  const prepared = action('核销', {
    kind: 'call',
    path: '/thing/match',
    prepare: '/thing/match/prepare',
    form: [{ field: 'reason', required: false }],
    keepEmpty: false,
  })
  const answers = new Map<number, (answer: unknown) => void>()
  const { posted } = await open([prepared], {
    '/thing/match/prepare': ({ id }: { id: number }) => new Promise((resolve) => answers.set(id, resolve)),
    '/thing/match': { succeeded: 1, failed: [] },
  })
  await user.click(within(row('启澜')).getByRole('button', { name: /^核销( |$)/ }))
  await user.click(within(row('若谷')).getByRole('button', { name: /^核销( |$)/ }))
  await act(async () => answers.get(2)!({ values: {}, seen: { bill: { 12: 1 } } }))
  await user.type(within(await screen.findByRole('dialog')).getByRole('textbox'), '若谷的说明')
  await act(async () => answers.get(1)!({ values: {}, seen: { bill: { 11: 1 } } }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: '核销' }))
  await waitFor(() => expect(posted()).toHaveLength(3))
  const sent = { id: 2, revision: 1, seen: { bill: { 12: 1 } }, values: { reason: '若谷的说明' } }
  expect(posted()[2]).toEqual(['/thing/match', sent])
})

test('a dialog is hidden while another tab is shown, and keeps what was typed', async () => {
  const end = action('终止', call('/thing/end', [{ field: 'reason', required: true }]))
  const { setActive, posted } = await open([end], { '/thing/end': { succeeded: 1, failed: [] } })
  await user.click(within(row('启澜')).getByRole('button', { name: /^终止( |$)/ }))
  await user.type(within(await screen.findByRole('dialog', { name: '终止' })).getByRole('textbox'), '合同已经到期')
  await setActive(false)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await setActive(true)
  await user.click(within(await screen.findByRole('dialog', { name: '终止' })).getByRole('button', { name: '终止' }))
  await waitFor(() =>
    expect(posted()).toEqual([['/thing/end', { id: 1, revision: 4, values: { reason: '合同已经到期' } }]]),
  )
})

test.skipIf(!isLong)('a review is hidden while another tab is shown', async () => {
  const agree = action('通过', call('/thing/agree'))
  const { setActive } = await open([action('审核', { kind: 'review', show: ['name'], calls: [agree] })], {
    '/thing/detail': { id: 1, revision: 4, name: '启澜', status: 'pending' },
  })
  await user.click(within(row('启澜')).getByRole('button', { name: /^审核( |$)/ }))
  await screen.findByRole('dialog', { name: '审核' })
  await setActive(false)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await setActive(true)
  await screen.findByRole('dialog', { name: '审核' })
})
