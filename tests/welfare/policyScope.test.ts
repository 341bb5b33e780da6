/** Foreseeing a policy in force shows the user the people, amounts and tickets that they may see, and of no others. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Value } from '../../engine/model/model.ts'
import type { Client } from '../server.ts'
import { policyRows } from '../welfare.ts'
import { handlingHouse, type HandlingHouse } from './handled.ts'

let all: HandlingHouse
let draft: number
let waiting: string
beforeAll(async () => {
  all = await handlingHouse()
  const { house, enrolled, person, add, detail, policies } = all
  await enrolled('accumulationfund', { declaredBase: '20000', fundCompanyRate: '7' })
  const open = await add('accumulationfund', { person: (await person()).id, declaredBase: '20000' })
  waiting = String((await detail('accumulationfundAddition', open.result.id)).ticketNo)
  await house.admin.post('/welfare/policy/revise', { id: policies.fund })
  const filters = { status: { equals: 'draft' } }
  ;[{ id: draft }] = (await house.admin.get('/welfare/policy/list', { filters })).result.list
  const { revision } = (await house.admin.get('/welfare/policy/detail', { id: draft })).result
  const items = policyRows(house, 'accumulationfund', { baseFloor: '2420', baseCeiling: '10000' }) as Value
  const values = { effectiveFrom: '2026-03', accumulationfundItems: items }
  expect(await house.admin.post('/welfare/policy/update', { id: draft, revision, values })).toMatchObject({ code: 1 })
  const functionPermissions = ['welfare:policy:*', 'welfare:*:view']
  for (const dataScope of ['all', 'self'] as const)
    await house.create('/setting/role', { code: `policy${dataScope}`, name: dataScope, dataScope, functionPermissions })
})
afterAll(() => all?.house.close())

async function foreseen(as: Client) {
  const { result, ...answer } = await as.post('/welfare/policy/enable/foresee', { id: draft })
  expect(answer).toMatchObject({ code: 1 })
  const facts = result.facts as { label: { cn: string }; value: { cn: string } }[]
  return {
    facts: Object.fromEntries(facts.map(({ label, value }) => [label.cn, value.cn])),
    tickets: JSON.stringify(result.lists),
  }
}

test('to a user who sees all of them', async () => {
  const { facts, tickets } = await foreseen(await all.house.user('policyall', ['policyall']))
  expect(facts['涉及人数']).not.toBe('0')
  expect(facts['单位每月']).not.toBe('￥0.00（不变）')
  expect(tickets).toContain(waiting)
})

test('to a user whose data scope covers none of them', async () => {
  const { facts, tickets } = await foreseen(await all.house.user('policyself', ['policyself']))
  expect(facts).toEqual({
    涉及人数: '0',
    单位每月: '￥0.00（不变）',
    个人每月: '￥0.00（不变）',
    将生成政策调整任务: '0',
    直接改按本政策的参保记录: '0',
  })
  expect(tickets).not.toContain(waiting)
})

test('to a user who may not view tickets: how many, and no number of one', async () => {
  const { facts, tickets } = await foreseen(await all.house.user('policyclerk', ['policyClerk']))
  expect(facts['涉及人数']).not.toBe('0')
  expect(tickets).toContain('"more":1')
  expect(tickets).not.toContain(waiting)
})
