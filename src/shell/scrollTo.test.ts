// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { scrollTo } from './scrollTo.ts'

const placed = (top: number, bottom: number) => {
  const element = document.createElement('div')
  element.getBoundingClientRect = () => ({ top, bottom }) as DOMRect
  return element
}

test.each([
  ['above', placed(20, 60), 100 - 30],
  ['below', placed(330, 370), 100 + 20],
  ['in view', placed(60, 100), 100],
])('an element %s is scrolled to, without the page taking it for the place of the next Tab', (_, element, scrolled) => {
  const box = placed(50, 350)
  box.scrollTop = 100
  element.scrollIntoView = () => expect.unreachable('moves the place of the next Tab')
  scrollTo(box, element)
  expect(box.scrollTop).toBe(scrolled)
})
