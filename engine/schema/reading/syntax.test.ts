import { expect, test } from 'vitest'
import { positionOf } from './place.ts'
import { syntaxFaults } from './syntax.ts'

const text = `{
  "title": { "cn": "订单", "en": "Orders" },
  "columns": [
    "number",
    { "field": "customer", "width": 90 }
  ],
  "sort": "number"
}
`
/** The faults reported for the text with one slip. */
const faultsOf = (from: string, to: string) => {
  expect(text).toContain(from)
  const broken = text.replace(from, to)
  return syntaxFaults(broken).faults.map(({ offset, message }) => {
    const { line, column } = positionOf(broken, offset)
    return `${line}:${column} ${message}`
  })
}

test.each([
  ['"Orders" },', '"Orders",', ['2:12 This "{" is not closed: a "}" is missing']],
  ['{ "cn": "订', '"cn": "订', ['2:16 A "{" is missing before this, or there is one "}" too many']],
  ['"columns": [', '"columns": ', ['3:3 A "[" is missing after this']],
  ['  ],\n', '  ,\n', ['3:14 This "[" is not closed: a "]" is missing']],
  ['90 }', '90', ['5:5 This "{" is not closed: a "}" is missing']],
  ['"number"\n}', '"number"\n', ['1:1 This "{" is not closed: a "}" is missing']],
  ['"number"\n}', '"number"\n}\n}', ['9:1 A "{" is missing before this, or there is one "}" too many']],
  ['"number",\n', '"number"\n', ['4:5 A "," is missing after this']],
  ['"field": "customer", "w', '"field": "customer" "w', ['5:27 A "," is missing before this']],
  ['"number",\n', 'number",\n', ['4:5 A double quote is missing on this line, here or before']],
  ['"width": 90', '"width: 90', ['5:28 A double quote is missing on this line, here or before']],
  ['"number"\n}', '"number",\n}', ['7:19 Remove this ",": nothing follows it']],
  ['90 }\n', '90 },\n', ['5:41 Remove this ",": nothing follows it']],
  ['"sort": "number"', "'sort': 'number'", ['7:3 Keys and texts stand in double quotes: "sort"']],
  ['"sort": "number"', '“sort”: "number"', ['7:3 Keys and texts stand in double quotes: "sort"']],
  ['"Orders" },', '"Orders" }，', ['2:42 This is a Chinese "，": write ","']],
  ['"sort": "number"', '"sort"： "number"', ['7:9 This is a Chinese "：": write ":"']],
  ['"sort": "number"', '"sort" = "number"', ['7:10 Write ":" here instead of "="']],
  [
    '"sort": "number"',
    '"sort": "size > "number""',
    ["7:20 A double quote ends the text before this: inside a text write 'number'"],
  ],
  [
    '"number",\n    {',
    '"number" ],\n    {',
    ['4:14 This "]" closes the "[" of line 3, but what follows belongs inside it: remove this "]" or move it down'],
  ],
  ['90 }\n  ]', '90 ]\n  }', ['5:5 This "{" is not closed before the "]" on this line: a "}" is missing']],
  [text, '', ['1:1 The file is empty: it must contain an object, { … }']],
])('%j changed to %j is reported once, at its place', (from, to, expected) => {
  expect(faultsOf(from, to)).toEqual(expected)
})

test('reports all of several unrelated faults', () => {
  expect(faultsOf('"number",\n    {', '"number"\n    {').concat(faultsOf('90', 'x90'))).toEqual([
    '4:5 A "," is missing after this',
    '5:37 This word is not JSON: only true, false and null stand without quotes',
  ])
})
