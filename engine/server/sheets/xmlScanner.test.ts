import { describe, expect, it } from 'vitest'
import { XmlScanner, attribute } from './xmlScanner.ts'
import type { XmlAttributes } from './xmlScanner.ts'

const document =
  '<?xml version="1.0"?><!DOCTYPE x><x:a one="1>2" r:id=\'&lt;é\'><!-- <no> --><b/>文字 &amp; &#65;&#x4e2d; &unknown;<c><![CDATA[<&amp;>]]></c ></x:a>\n'
const events = [
  ['open', 'a'],
  ['open', 'b'],
  ['close', 'b'],
  ['text', '文字 & A中 &unknown;'],
  ['open', 'c'],
  ['text', '<&amp;>'],
  ['close', 'c'],
  ['close', 'a'],
]

function scan(...pieces: string[]) {
  const seen: string[][] = []
  const scanner = new XmlScanner({
    open: (name) => seen.push(['open', name]),
    text(text) {
      const last = seen.at(-1)
      if (last?.[0] === 'text') last[1] += text
      else if (text.trim() !== '') seen.push(['text', text])
    },
    close: (name) => seen.push(['close', name]),
  })
  for (const piece of pieces) scanner.write(piece)
  scanner.end()
  return seen
}

describe('XML that arrives in pieces', () => {
  it('reads the same wherever it is cut', () => {
    for (let cut = 0; cut <= document.length; cut++)
      expect(scan(document.slice(0, cut), document.slice(cut)), `cut at ${cut}`).toEqual(events)
    expect(scan(...document)).toEqual(events)
  })

  it('has attributes in either kind of quotes, whatever their prefix', () => {
    let seen: XmlAttributes = {}
    const scanner = new XmlScanner({ open: (_, attributes) => (seen = attributes) })
    scanner.write('<a one="1>2" r:id=\'&lt;é\'\n s = "3"/>')
    expect(['one', 'id', 's', 'two'].map((name) => attribute(seen, name))).toEqual(['1>2', '<é', '3', undefined])
  })

  it('is refused if it ends midway, closes an unopened element, or never ends a tag', () => {
    for (const broken of ['<a><b></b>', '<a', '<a/></a>', `<a ${'x'.repeat(2 ** 20)}`])
      expect(() => scan(broken), broken.slice(0, 20)).toThrow(/damaged/)
  })
})
