/** No part of a workbook takes long to read, as it would if a pattern rescanned the rest from every position. */
import { expect, test } from 'vitest'
import { isLong } from '../../../tests/long.ts'
import { Refusal } from '../errors.ts'
import { allRows, book, zip } from './books.examples.ts'

const length = 2 ** 17
const all = [...' !"#$%&\'()*+,-./:;<=>?@[]^_{|}\\01TaZ\n中', '&#0', '&#x0', '_x0', '_x000D_', '1T', '[h']
/** Those that begin or end something. */
const pieces = isLong ? all : [' ', '"', '&', '[', '\\', '0', 'T', '_', '-']
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const styles = (format: string) =>
  `<styleSheet><numFmts>${format}</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs></styleSheet>`
const plain = '<row><c><v>1</v></c></row>'
const cell = (text: string, attributes = '') => `<row><c ${attributes}><v>${text}</v></c></row>`
const more = (part: string, content: string) => ({ rows: plain, more: { [part]: [content] } })

/** A workbook with the run in each of its places. */
const places: Record<
  string,
  (run: string) => { rows: string; more?: Record<string, string[]>; workbookProperties?: string }
> = {
  ...Object.fromEntries(
    ['n', 'd', 'b', 's', 'str', 'e', 'inlineStr', '?'].map((type) => [
      `a cell of type ${type}`,
      (run: string) => ({ rows: cell(run, `t="${type}"`) }),
    ]),
  ),
  'the text of a rich cell': (run) => ({ rows: `<row><c t="inlineStr"><is><r><t>${run}</t></r></is></c></row>` }),
  'a text between rows': (run) => ({ rows: run + plain }),
  'the type of a cell': (run) => ({ rows: cell('1', `t="${run}"`) }),
  'the style of a cell': (run) => ({ rows: cell('1', `s="${run}"`) }),
  'the place of a cell': (run) => ({ rows: cell('1', `r="${run}"`) }),
  'the place of a cell after a column': (run) => ({ rows: cell('1', `r="A${run}"`) }),
  'the number of a row': (run) => ({ rows: `<row r="${run}"><c><v>1</v></c></row>` }),
  'an attribute that nobody knows': (run) => ({ rows: cell('1', `x="${run}"`) }),
  'the name of an attribute': (run) => ({ rows: cell('1', `${run}="1"`) }),
  'the name of a tag': (run) => ({ rows: `<${run}/>${plain}` }),
  'a comment': (run) => ({ rows: `<!--${run}-->${plain}` }),
  'literal text': (run) => ({ rows: cell(`<![CDATA[${run}]]>`) }),
  'a format': (run) => more('xl/styles.xml', styles(`<numFmt numFmtId="200" formatCode="${run}"/>`)),
  'the number of a format': (run) => more('xl/styles.xml', styles(`<numFmt numFmtId="${run}" formatCode="0"/>`)),
  'a shared text': (run) => more('xl/sharedStrings.xml', `<sst><si><t>${run}</t></si></sst>`),
  'a property of the workbook': (run) => ({ rows: plain, workbookProperties: `<workbookPr date1904="${run}"/>` }),
  ...Object.fromEntries(
    ['name', 'state', 'r:id'].map((key) => [
      `the ${key} of a sheet`,
      (run: string) => ({ rows: plain, workbookProperties: `<sheets><sheet ${key}="${run}"/></sheets>` }),
    ]),
  ),
  ...Object.fromEntries(
    ['Id', 'Type', 'Target'].map((key) => [
      `the ${key} of a relation`,
      (run: string) =>
        more('xl/_rels/workbook.xml.rels', `<Relationships><Relationship ${key}="${run}"/></Relationships>`),
    ]),
  ),
}

/** In milliseconds: far longer than any place takes, and far shorter than a search from each position. */
const patience = isLong ? 60_000 : 15_000

/** The rows, or that the file is refused; any other error is a fault. */
const reading = async (parts: Parameters<typeof zip>[0]) => {
  try {
    return await allRows(await zip(parts))
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    return 'refused'
  }
}

test.each(Object.entries(places))('%s', { timeout: patience }, async (_, place) => {
  for (const piece of pieces)
    for (const each of new Set([piece, escaped(piece)])) {
      const { rows, ...rest } = place(each.repeat(length / each.length))
      await reading(book([rows], rest))
    }
})

test('many sheets with many relations', { timeout: patience }, async () => {
  const ids = Array.from({ length: 30_000 }, (_, id) => id)
  const parts = book([plain])
  const main = `<workbook xmlns:r="${relation}"><sheets>${ids.map((id) => `<sheet name="${id}" r:id="r${30_000 - id}"/>`).join('')}</sheets></workbook>`
  const relations = `<Relationships>${ids.map((id) => `<Relationship Id="r${id}" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/>`).join('')}</Relationships>`
  expect(
    await reading({ ...parts, 'xl/workbook.xml': [main], 'xl/_rels/workbook.xml.rels': [relations] }),
  ).toHaveLength(1)
})

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const escaped = (piece: string) => [...piece].map((each) => named[each] ?? each).join('')
