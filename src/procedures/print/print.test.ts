import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { amountInWords } from './amountInWords.ts'
import { blocksOf } from './document.ts'
import { layOut } from './layOut.ts'
import { printPdf } from './pdf.ts'
import { fillPlaceholders, placeholdersIn } from './placeholders.ts'

describe('an amount in words', () => {
  it.each([
    ['0', '零元整'],
    ['0.05', '伍分'],
    ['0.50', '伍角整'],
    ['10', '壹拾元整'],
    ['12345.60', '壹万贰仟叁佰肆拾伍元陆角整'],
    ['1005.08', '壹仟零伍元零捌分'],
    ['10010', '壹万零壹拾元整'],
    ['100000000', '壹亿元整'],
    ['20000001.50', '贰仟万零壹元伍角整'],
    ['100000010000', '壹仟亿零壹万元整'],
    ['6007.14', '陆仟零柒元壹角肆分'],
  ])('%s is %s', (amount, words) => expect(amountInWords(amount)).toBe(words))
})

describe('placeholders', () => {
  it('are filled in as text, and remain visible if there is no value', () => {
    expect(placeholdersIn('<p>{{person.name}} {{ proof.purpose }} {{person.name}} {x}</p>')).toEqual([
      'person.name',
      'proof.purpose',
    ])
    expect(
      fillPlaceholders('<p>{{person.name}}，{{person.leaveDate}}</p>', {
        'person.name': 'A<b>&',
        'person.leaveDate': null,
      }),
    ).toBe('<p>A&lt;b&gt;&amp;，{{person.leaveDate}}</p>')
  })
})

describe('rich text on paper', () => {
  it('keeps headings, marks, lists and blank lines', () => {
    expect(
      blocksOf('<h2>证明</h2><p>兹证明 <strong>林<em>晓</em></strong></p><p></p><ul><li>一</li><li>二</li></ul><hr>'),
    ).toEqual([
      { text: [{ text: '证明' }], style: 'heading', fontSize: 20, bold: true, alignment: 'center' },
      {
        text: [{ text: '兹证明 ' }, { text: '林', bold: true }, { text: '晓', bold: true, italics: true }],
        style: 'paragraph',
      },
      { text: [{ text: ' ' }], style: 'paragraph' },
      {
        ul: [
          { text: [{ text: '一' }], style: 'item' },
          { text: [{ text: '二' }], style: 'item' },
        ],
        style: 'list',
      },
      expect.objectContaining({ canvas: expect.any(Array) }),
    ])
  })

  it('shows only the given pictures, and text without a paragraph', () => {
    expect(blocksOf('无段落<img src="http://elsewhere.example/x.png"><p>a<br>b</p>')).toEqual([
      { text: [{ text: '无段落' }], style: 'paragraph' },
      { text: [{ text: 'a' }, { text: '\n' }, { text: 'b' }], style: 'paragraph' },
    ])
  })

  it('becomes a PDF whose Chinese characters are in the embedded font', async () => {
    const file = await printPdf({ title: 'ZM1', number: 'ZM1', size: 'a5', blocks: blocksOf('<p>兹证明林晓演</p>') })
    expect(file.subarray(0, 5).toString()).toBe('%PDF-')
    const text = file.toString('latin1')
    expect(text).toMatch(/\/MediaBox \[0 0 419\.53 595\.28\]/)
    expect(text).toMatch(/NotoSansSC/)
    // The map that serves to copy text shows which characters the glyphs are.
    const streams = [...text.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, body]) => {
      try {
        return inflateSync(Buffer.from(body, 'latin1')).toString('latin1')
      } catch {
        return ''
      }
    })
    const meanings = streams.filter((stream) => stream.includes('beginbfrange')).join('')
    for (const character of '兹证明林晓演') expect(meanings).toContain(character.codePointAt(0)!.toString(16))
  })

  const table = (rows: number, columns = 10) => ({
    head: Array.from({ length: columns }, (_, column) => `列${column}`),
    cells: Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, () => `${row}.00`)),
    texts: 2,
  })
  const printed = (rows: number, columns?: number) =>
    printPdf({ title: '表', size: 'a4', landscape: true, blocks: [table(rows, columns)] })

  it('is laid out while other work goes on', async () => {
    await printed(1)
    let isPrinted = false
    const print = printed(400).then(() => {
      isPrinted = true
    })
    for (let turns = 0; turns < 500; turns++) await new Promise(setImmediate)
    expect(isPrinted).toBe(false)
    await print
  })

  it('is refused where it is too large, and the next one is printed', async () => {
    const tooLarge = expect.objectContaining({
      code: 'notAllowed',
      text: expect.objectContaining({ cn: expect.stringContaining('文件过大') }),
    })
    await expect(printed(20_001)).rejects.toEqual(tooLarge)
    await expect(layOut({ content: ['页'], defaultStyle: { font: 'Noto' } }, 0)).rejects.toEqual(tooLarge)
    await expect(layOut({ content: [{ text: '页', font: 'Unknown' }] })).rejects.toThrow('Unknown')
    expect((await printed(1)).subarray(0, 5).toString()).toBe('%PDF-')
  })
})
