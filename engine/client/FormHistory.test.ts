import { expect, test } from 'vitest'
import { FormHistory } from './FormHistory.ts'

const noted = (history: FormHistory, name: string, before: string | null, value: string, isFirst = false) =>
  history.note(name, { before, value, isFirst })

test('typing without leaving the field is one step, and later input is another', () => {
  const history = new FormHistory()
  noted(history, 'a', null, '1', true)
  noted(history, 'a', '1', '12')
  history.leave()
  noted(history, 'a', '12', '123')
  expect(history.undo()).toEqual({ name: 'a', value: '12', isPristine: false })
  expect(history.undo()).toEqual({ name: 'a', value: null, isPristine: true })
  expect(history.undo()).toBeUndefined()
  expect(history.redo()).toEqual({ name: 'a', value: '12', isPristine: false })
  expect(history.redo()).toEqual({ name: 'a', value: '123', isPristine: false })
  expect(history.redo()).toBeUndefined()
})

test('undoes fields in the order of input, to their values at the time', () => {
  const history = new FormHistory()
  noted(history, 'a', null, '1', true)
  noted(history, 'b', null, '2', true)
  // A default has changed the field meanwhile.
  noted(history, 'a', 'default', '3')
  expect(history.undo()).toMatchObject({ name: 'a', value: 'default' })
  expect(history.undo()).toMatchObject({ name: 'b', value: null })
  expect(history.undo()).toMatchObject({ name: 'a', value: null })
})

test('typing back to the old value is no step, and keeps the step before', () => {
  const history = new FormHistory()
  noted(history, 'a', null, '1', true)
  history.leave()
  noted(history, 'a', '1', '12')
  noted(history, 'a', '12', '1')
  noted(history, 'a', '1', '13')
  expect(history.undo()).toMatchObject({ value: '1' })
  expect(history.undo()).toMatchObject({ value: null })
})

test('new input after an undo leaves nothing to redo', () => {
  const history = new FormHistory()
  noted(history, 'a', null, '1', true)
  history.undo()
  expect(history.canRedo).toBe(true)
  noted(history, 'a', null, '2', true)
  expect(history.canRedo).toBe(false)
  expect(history.redo()).toBeUndefined()
})

test('keeps the last two hundred steps, and none from before a save', () => {
  const history = new FormHistory()
  for (let index = 0; index < 250; index++) {
    noted(history, 'a', String(index), String(index + 1))
    history.leave()
  }
  let steps = 0
  while (history.undo()) steps++
  expect(steps).toBe(200)
  noted(history, 'a', null, '1')
  history.clear()
  expect(history.undo()).toBeUndefined()
})
