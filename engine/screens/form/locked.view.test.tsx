// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { draw, entity, field, formPlan, label } from '../../../tests/fixtures/screen.tsx'
import { stubBrowser } from '../../../tests/stage.tsx'
import { FormView } from './form.view.tsx'

beforeAll(stubBrowser)
afterEach(cleanup)

const thing = entity('thing', [
  field('name', 'text'),
  field('kind', 'choice', { options: { choices: 'kind' } }),
  field('owner', 'integer'),
])
const edit = (old: object) =>
  draw(FormView, formPlan(thing, { mode: 'edit', editWhen: "kind != 'special' || owner == user.id" }), [thing], {
    query: { id: '3' },
    answers: { '/thing/detail': { id: 3, revision: 1, name: '启澜', kind: 'plain', owner: null, ...old } },
  })

test('an edit form of a record that may not be edited now is only read, and names what decides it', async () => {
  const { speak } = edit({ kind: 'special', owner: 8 })
  await screen.findByText('该数据现在不能修改')
  const notice = screen.getByRole('status')
  const facts = () => [...notice.querySelectorAll('dl > div')].map((each) => each.textContent)
  expect(facts()).toEqual(['字段kind特殊', '字段owner8'])
  expect(screen.queryByLabelText(label('name').cn)).toBeNull()
  expect(screen.getByText('启澜')).toBeTruthy()
  const buttons = screen.getAllByRole('button').map((button) => button.textContent?.replace(/\s/g, ''))
  expect(buttons).toEqual(['返回'])
  speak('en')
  expect(notice.textContent).toContain('This record cannot be edited in its current state')
  expect(facts()).toEqual(['Field kindSpecial', 'Field owner8'])
})

test.each([{}, { kind: 'special', owner: 7 }])('a record that may be edited is: %j', async (old) => {
  edit(old)
  const form = await screen.findByRole('form')
  expect(within(form).getByLabelText<HTMLInputElement>(label('name').cn).value).toBe('启澜')
  expect(within(form).queryByRole('status')).toBeNull()
})
