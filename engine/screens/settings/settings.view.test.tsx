// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { bundleOf, openScreen, user } from '../../../tests/screen.tsx'
import { fieldOf, stubBrowser } from '../../../tests/stage.tsx'
import type { ScreenPlan } from '../../model/model.ts'
import type { SettingsPlan } from './settings.ts'

beforeAll(stubBrowser)
afterEach(cleanup)

const label = (cn: string) => ({ cn, en: cn })
const limit = { ...fieldOf('text', 'limit', { maxLength: 60 }), default: '五' }

test('defaults are restored in the current form on confirmation, even if the record was reloaded', async () => {
  const body: SettingsPlan = {
    sections: [
      {
        fields: [{ field: 'limit', required: false, readOnly: false, span: 1 }],
      } as unknown as SettingsPlan['sections'][number],
    ],
    submit: label('保存'),
    permission: 'p',
    defaults: ['limit'],
    paths: { detail: '/thing/detail', update: '/thing/update', history: '/thing/history' },
  }
  const plan: ScreenPlan<SettingsPlan> = {
    name: 'thing',
    kind: 'settings',
    area: '',
    title: label('参数'),
    parameters: [],
    entity: 'thing',
    permission: '',
    noCache: false,
    file: '',
    body,
  }
  let read = 0
  const { readAgain } = await openScreen({
    bundle: bundleOf(plan, [limit]),
    answers: { '/thing/detail': () => ({ id: 1, revision: ++read, limit: `读过${read}次` }) },
  })
  const box = () => screen.getByRole('textbox', { name: /limit/ }) as HTMLInputElement
  await screen.findByRole('textbox', { name: /limit/ })
  await user.click(screen.getByRole('button', { name: '恢复默认' }))
  const dialog = await screen.findByRole('dialog')
  await readAgain()
  await waitFor(() => expect(box().value).toBe('读过2次'))
  await user.click(within(dialog).getByRole('button', { name: '恢复默认' }))
  expect(box().value).toBe('五')
})
