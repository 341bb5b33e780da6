// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { RequestError } from '../../client/index.ts'
import { draw, entity, field, formPlan, label } from '../../../tests/fixtures/screen.tsx'
import { stubBrowser } from '../../../tests/stage.tsx'
import { FormView } from './form.view.tsx'

stubBrowser()
afterEach(cleanup)

test('a save button that waits for its answer keeps the focus, and sends nothing twice', async () => {
  const thing = entity('thing', [field('a', 'text')])
  let refuse = (_: Error) => {}
  const answer = new Promise((_, reject) => {
    refuse = reject
  })
  const { request } = draw(FormView, formPlan(thing), [thing], { answers: { '/thing/create': answer } })
  fireEvent.change(screen.getByLabelText(label('a').cn), { target: { value: '甲' } })
  const save = screen.getByRole<HTMLButtonElement>('button', { name: /保\s*存/ })
  save.focus()
  fireEvent.click(save)
  await waitFor(() => expect(request.post).toHaveBeenCalledTimes(1))
  expect([save.disabled, save.getAttribute('aria-disabled')]).toEqual([false, 'true'])
  fireEvent.click(save)
  await act(async () => refuse(new RequestError('系统错误', { code: 500 })))
  expect((await screen.findByRole('alert')).textContent).toBe('系统错误')
  expect([request.post.mock.calls.length, document.activeElement, save.getAttribute('aria-disabled')]).toEqual([
    1,
    save,
    null,
  ])
})
