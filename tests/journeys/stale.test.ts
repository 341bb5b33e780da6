import { expect, test } from 'vitest'
import { detail, dialog, list, open, useDemo } from './app.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

const approved = async (index: number) =>
  (await list('/customer', { filters: { approvalStatus: { equals: 'approved' } }, sort: 'code' })).list[index].id!
/** Two windows, each in a browser of its own. */
const openBoth = (id: number) =>
  Promise.all([1440, 1439].map((width) => open(`/customer/addcustomer?type=edit&id=${id}`, { width, stays: true })))
const remark = '备注'
const save = { name: '保存', exact: true }

test.runIf(isLong)('two users change different fields of one record, and both changes are kept', async () => {
  const id = await approved(1)
  const [first, second] = await openBoth(id)
  await first.getByLabel('法定代表人').fill('张甲')
  await first.getByRole('button', save).click()
  await first.waitForFunction(() => !location.hash.includes('addcustomer'))
  await second.getByLabel(remark).fill('乙写的备注')
  await second.getByRole('button', save).click()
  await second.waitForFunction(() => !location.hash.includes('addcustomer'))
  expect(await detail('/customer', id)).toMatchObject({ legalRepresentative: '张甲', remark: '乙写的备注' })
})

test.runIf(isLong)('two users change the same field, and the later one sees both values and chooses', async () => {
  const id = await approved(2)
  const [first, second] = await openBoth(id)
  await first.getByLabel(remark).fill('甲的备注')
  await first.getByRole('button', save).click()
  await first.waitForFunction(() => !location.hash.includes('addcustomer'))
  await second.getByLabel(remark).fill('乙的备注')
  await second.getByRole('button', save).click()
  const sides = dialog(second)
  await sides.getByText('甲的备注').waitFor()
  expect(await sides.getByText('乙的备注').count()).toBeGreaterThan(0)
  expect((await detail('/customer', id)).remark, 'nothing is overwritten silently').toBe('甲的备注')
  await sides.getByRole('radio').last().check()
  await sides.getByRole('button').last().click()
  await second.waitForFunction(() => !location.hash.includes('addcustomer'))
  expect((await detail('/customer', id)).remark).toBe('乙的备注')
})

test.runIf(isLong)(
  'each field is settled by itself: theirs for one, mine for the other, and none without a choice',
  async () => {
    const id = await approved(3)
    const [first, second] = await openBoth(id)
    await first.getByLabel(remark).fill('甲的备注')
    await first.getByLabel('法定代表人').fill('张甲')
    await first.getByRole('button', save).click()
    await first.waitForFunction(() => !location.hash.includes('addcustomer'))
    await second.getByLabel(remark).fill('乙的备注')
    await second.getByLabel('法定代表人').fill('李乙')
    await second.getByLabel('收件人', { exact: true }).fill('王乙')
    await second.getByRole('button', save).click()
    const sides = dialog(second)
    await expect
      .poll(() => sides.getByRole('rowheader').allInnerTexts(), { message: 'only what both have changed' })
      .toEqual(['法定代表人', '备注'])
    expect(await sides.getByRole('button', { name: '按所选内容保存', exact: true }).isDisabled()).toBe(true)
    await sides.getByRole('radio', { name: '保留对方的备注', exact: true }).check()
    await sides.getByRole('radio', { name: '保留我的法定代表人', exact: true }).check()
    await sides.getByRole('button', { name: '按所选内容保存', exact: true }).click()
    await second.waitForFunction(() => !location.hash.includes('addcustomer'))
    expect(await detail('/customer', id)).toMatchObject({
      remark: '甲的备注',
      legalRepresentative: '李乙',
      consigneeName: '王乙',
    })
  },
)

test.runIf(isLong)('a user who goes on editing keeps what was typed', async () => {
  const id = await approved(4)
  const [first, second] = await openBoth(id)
  await first.getByLabel(remark).fill('甲的备注')
  await first.getByRole('button', save).click()
  await first.waitForFunction(() => !location.hash.includes('addcustomer'))
  await second.getByLabel(remark).fill('乙的备注')
  await second.getByRole('button', save).click()
  await dialog(second).getByRole('button', { name: '继续编辑', exact: true }).click()
  await dialog(second).waitFor({ state: 'hidden' })
  expect(await second.getByLabel(remark).inputValue()).toBe('乙的备注')
  expect((await detail('/customer', id)).remark).toBe('甲的备注')
})
