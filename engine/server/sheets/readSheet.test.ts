import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync, mkdtempSync, readdirSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { deflateRawSync } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '../errors.ts'
import { allRows, book, collected, opened, zip } from './books.examples.ts'
import { exampleColumns, exampleTemplate } from './columns.examples.ts'
import { isSample, matchHeader } from './matchHeader.ts'
import { openSheet } from './readSheet.ts'

const cells = (...values: string[]) => `<row>${values.join('')}</row>`
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const read = async (rows: string, options?: Parameters<typeof book>[1]) =>
  (await allRows(await zip(book([rows], options)))).map((row) => row.cells)

describe('files that are no workbook', () => {
  const good = () => writeXlsx({ sheets: [{ name: 'Data', rows: [['Name'], ['A']] }] })
  const old = (word: string) =>
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(2 ** 20 - 20),
      Buffer.from(word, 'utf16le'),
      Buffer.alloc(512),
    ])
  const content = 'a'.repeat(2000)
  const files: [what: string, code: string, bytes: () => Promise<Uint8Array> | Uint8Array][] = [
    ['an empty file', 'sheetNone', () => Buffer.alloc(0)],
    ['an .xls', 'sheetOld', () => old('Workbook')],
    ['an encrypted workbook by its word', 'sheetEncrypted', () => old('EncryptedPackage')],
    [
      'an encrypted workbook',
      'sheetEncrypted',
      () => writeXlsx({ sheets: [{ name: 'Data', rows: [['Name']] }], encryption: { password: 'x', spinCount: 10 } }),
    ],
    ['a CSV', 'sheetText', () => Buffer.from('名称,类型\nA,B\n')],
    ['a CSV of an old Chinese program', 'sheetText', () => Buffer.from('c3fbb3c62cc0e0d0cd0a', 'hex')],
    ['a text in UTF-16', 'sheetText', () => Buffer.from('\ufeff名称\t类型', 'utf16le')],
    ['a web page', 'sheetText', () => Buffer.from('<html><table><tr><td>A</td></tr></table></html>')],
    ['a picture', 'sheetKind', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a PDF', 'sheetKind', () => Buffer.from('%PDF-1.7\n')],
    ['an archive of something else', 'sheetBook', () => zip({ 'readme.txt': ['hello'] })],
    ['a text document', 'sheetBook', () => zip({ ...book(['']), 'xl/workbook.xml': ['<w:document/>'] })],
    [
      'a binary workbook',
      'sheetBook',
      () =>
        zip({
          '_rels/.rels': [
            '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
          ],
          'xl/workbook.bin': ['x'],
        }),
    ],
    ['a workbook whose only sheet is hidden', 'sheetMissing', () => zip(book([''], { state: 'hidden' }))],
    ['a workbook that was cut off', 'sheetBroken', async () => (await good()).slice(0, 700)],
    [
      'a workbook whose sheet was cut off',
      'sheetBroken',
      () => zip({ ...book(['']), 'xl/worksheets/sheet1.xml': ['<worksheet><sheetData><row><c><v>1</v></c></row>'] }),
    ],
    [
      'a workbook without its sheet',
      'sheetBroken',
      async () => {
        const { 'xl/worksheets/sheet1.xml': _, ...rest } = book([''])
        return zip(rest)
      },
    ],
    ['a part that is twice there', 'sheetBroken', () => zip({ ...book(['']), 'XL/workbook.xml': ['<workbook/>'] })],
    [
      'a damaged byte',
      'sheetBroken',
      async () => {
        const bytes = await zip(book([cells(text(content))]))
        const packed = deflateRawSync(`<worksheet><sheetData>${cells(text(content))}</sheetData></worksheet>`)
        bytes[bytes.indexOf(packed.subarray(4, 24)) + 40] ^= 0xff
        return bytes
      },
    ],
    [
      'a checksum that is not of the content',
      'sheetBroken',
      async () => {
        const bytes = await zip(book([cells(text(content))]))
        bytes[bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46 + 16] ^= 0xff
        return bytes
      },
    ],
    [
      'a part that is larger than it says',
      'sheetBroken',
      async () => {
        const bytes = await zip(book([cells(text(content))]))
        const entry = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46
        bytes.writeUInt32LE(100, entry + 24)
        return bytes
      },
    ],
    [
      'rows that count backwards',
      'sheetBroken',
      () => zip(book(['<row r="5"><c><v>1</v></c></row><row r="4"><c><v>1</v></c></row>'])),
    ],
    ['a cell without a column', 'sheetBroken', () => zip(book(['<row><c r="17"><v>1</v></c></row>']))],
    ['a cell beyond the last column', 'sheetBroken', () => zip(book(['<row><c r="XFE1"><v>1</v></c></row>']))],
    [
      'a zip bomb',
      'sheetUnpacked',
      () =>
        zip(
          book(
            (function* () {
              for (let piece = 0; piece < 64; piece++) yield ' '.repeat(2 ** 20)
            })(),
          ),
        ),
    ],
  ]

  it.each(files)('%s is refused: %s', async (_, code, bytes) => {
    const refused = await allRows(await bytes()).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(refused).toBeInstanceOf(Refusal)
    expect(refused).toMatchObject({ code, status: 422 })
  })

  it('the archive that the damaged ones are made from can be read', async () => {
    expect(await allRows(await zip(book([cells(text(content))])))).toEqual([{ number: 1, cells: [content] }])
  })
})

describe('limits', () => {
  it('apply to the size of the file, unpacked and of its texts, and to the number of its parts', async () => {
    const bytes = await zip(
      book([cells('<c t="s"><v>0</v></c>')], { more: { 'xl/sharedStrings.xml': ['<sst><si><t>four</t></si></sst>'] } }),
    )
    await expect(allRows(bytes, { bytes: bytes.length - 1 })).rejects.toMatchObject({ code: 'sheetTooLarge' })
    await expect(allRows(bytes, { unpackedBytes: 500 })).rejects.toMatchObject({ code: 'sheetUnpacked' })
    await expect(allRows(bytes, { textBytes: 19 })).rejects.toMatchObject({ code: 'sheetUnpacked' })
    await expect(allRows(bytes, { parts: 4 })).rejects.toMatchObject({ code: 'sheetUnpacked' })
    expect(await allRows(bytes, { bytes: bytes.length, textBytes: 20, parts: 5 })).toEqual([
      { number: 1, cells: ['four'] },
    ])
  })

  it('apply to the number of rows besides header and sample, without empty ones', async () => {
    const rows = (count: number) => zip(book([cells(text('x')).repeat(count), cells('<c s="1"/>').repeat(50)]))
    expect(await allRows(await rows(5), { rows: 3 })).toHaveLength(5)
    await expect(rows(6).then((bytes) => allRows(bytes, { rows: 3 }))).rejects.toMatchObject({
      code: 'sheetRows',
      text: { en: expect.stringContaining('3 rows') },
    })
  })

  it('apply to the number of columns, without empty ones', async () => {
    const row = (count: number) => cells('<c><v>1</v></c>'.repeat(count), '<c r="XFD1" s="1"/>')
    expect((await read(row(300)))[0]).toHaveLength(300)
    await expect(read(row(301))).rejects.toMatchObject({
      code: 'sheetColumns',
      text: { cn: expect.stringContaining('KO1') },
    })
  })

  it('apply to the total of all cells, even if they share one text', async () => {
    const shared = { more: { 'xl/sharedStrings.xml': [`<sst><si><t>${'x'.repeat(1000)}</t></si></sst>`] } }
    const bytes = await zip(book([cells('<c t="s"><v>0</v></c>').repeat(40)], shared))
    expect(await allRows(bytes)).toHaveLength(40)
    expect(await allRows(bytes, { cellCharacters: 16 * 40_000 })).toHaveLength(40)
    for (const cellCharacters of [39_999, 16 * 39_999])
      await expect(allRows(bytes, { cellCharacters })).rejects.toMatchObject({ code: 'sheetUnpacked' })
  })

  it('apply to how much larger all cells together are than the file', async () => {
    const bytesOf = (characters: number, padding = '') => {
      const shared = `<sst><si><t>${'x'.repeat(50_000)}</t></si><si><t>${padding}</t></si></sst>`
      const row = cells('<c t="s"><v>0</v></c>')
      return zip(book([row.repeat(characters / 50_000)], { more: { 'xl/sharedStrings.xml': [shared] } }))
    }
    expect(await allRows(await bytesOf(1_000_000))).toHaveLength(20)
    await expect(bytesOf(5_000_000).then((bytes) => allRows(bytes))).rejects.toMatchObject({ code: 'sheetUnpacked' })
    const incompressible = randomBytes(20_000).toString('hex')
    expect(await allRows(await bytesOf(5_000_000, incompressible))).toHaveLength(100)
  })

  it('apply to the length of a cell, and name it', async () => {
    const bytes = await zip(book([cells(text('x'), text('y'.repeat(11)))]))
    await expect(allRows(bytes, { characters: 10 })).rejects.toMatchObject({
      code: 'sheetCell',
      text: { en: expect.stringContaining('B1') },
    })
  })
})

describe('cells', () => {
  it('keep the numbers of rows and the positions of cells, and skip empty ones', async () => {
    const bytes = await zip(
      book([
        '<row r="2"><c r="C2"><v>1</v></c></row><row r="3" s="1"><c r="A3" s="1"/><c r="B3" t="inlineStr"><is><t>  </t></is></c></row><row r="9"><c r="B9"><v>2</v></c><c><v>3</v></c></row><row/>',
      ]),
    )
    expect(await allRows(bytes)).toEqual([
      { number: 2, cells: [null, null, 1] },
      { number: 9, cells: [null, 2, 3] },
    ])
  })

  it('have the result of a formula, and the text of its error', async () => {
    expect(
      await read(
        cells(
          '<c><f>1+1</f><v>2</v></c>',
          '<c t="str"><f>A1&amp;"x"</f><v>2x</v></c>',
          '<c t="e"><f>NA()</f><v>#N/A</v></c>',
          '<c t="b"><f>1=1</f><v>1</v></c>',
          '<c t="str"><f>""</f><v></v></c>',
        ),
      ),
    ).toEqual([[2, '2x', '#N/A', true]])
  })

  it('lose control characters, but not tabs and line breaks', async () => {
    expect(
      await read(
        cells(
          text('a_x0000__x0007_b&#1;\u0085\u200b'),
          text('1_x000D_\n2\t3&#13;4'),
          text('_x005F_x0041_'),
          text('_xD800_x'),
        ),
      ),
    ).toEqual([['ab\u200b', '1\n2\t3\n4', '_x0041_', 'x']])
  })

  it('have rich texts without their phonetic guides', async () => {
    const shared =
      '<x:sst><x:si><x:r><x:t>客</x:t></x:r><x:r><x:rPr><x:b/></x:rPr><x:t>户</x:t></x:r><x:rPh><x:t>kehu</x:t></x:rPh></x:si><x:si><x:t>&lt;二&gt;</x:t></x:si></x:sst>'
    expect(
      await read(cells('<c t="s"><v>1</v></c>', '<c t="s"><v>0</v></c>', '<c t="s"><v>7</v></c>'), {
        more: { 'xl/sharedStrings.xml': [shared] },
      }),
    ).toEqual([['<二>', '客户']])
    expect(
      await read(cells('<c t="inlineStr"><is><r><t>客</t></r><r><t>户</t></r><rPh><t>kehu</t></rPh></is></c>')),
    ).toEqual([['客户']])
  })

  it('are dates if the format shows one, by the calendar of the workbook', async () => {
    const formats = ['0.00', 'yyyy"年"m"月"', '[Red]0.0', '"day" 0', '[h]:mm', 'General', '0.00_);[Blue]\\d0']
    const styles =
      `<styleSheet><numFmts>${formats.map((format, index) => `<numFmt numFmtId="${200 + index}" formatCode="${format.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts>` +
      `<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${[0, 14, 57, 49, ...formats.map((_, index) => 200 + index)].map((format) => `<xf numFmtId="${format}"/>`).join('')}</cellXfs></styleSheet>`
    const row = cells(...Array.from({ length: 11 }, (_, style) => `<c s="${style}"><v>46053.5</v></c>`))
    const noon = new Date('2026-01-31T12:00:00Z')
    expect(await read(row, { more: { 'xl/styles.xml': [styles] } })).toEqual([
      [46053.5, noon, noon, 46053.5, 46053.5, noon, 46053.5, 46053.5, noon, 46053.5, 46053.5],
    ])
    const from1904 = await read(cells('<c s="1"><v>1</v></c>'), {
      workbookProperties: '<workbookPr date1904="1"/>',
      more: { 'xl/styles.xml': [styles] },
    })
    expect(from1904).toEqual([[new Date('1904-01-02T00:00:00Z')]])
    expect(
      await read(
        cells(
          '<c s="1"><v>59</v></c>',
          '<c s="1"><v>61</v></c>',
          '<c s="1"><v>1e9</v></c>',
          '<c t="d"><v>2026-01-31T12:00:00</v></c>',
        ),
        { more: { 'xl/styles.xml': [styles] } },
      ),
    ).toEqual([[new Date('1900-02-28T00:00:00Z'), new Date('1900-03-01T00:00:00Z'), 1e9, noon]])
  })

  it('come from the first visible sheet, which may have no rows', async () => {
    const hidden = { name: 'Old', hidden: true, rows: [['old']] }
    expect(
      await allRows(
        await writeXlsx({ sheets: [hidden, { name: 'Data', rows: [['new']] }, { name: 'More', rows: [['more']] }] }),
      ),
    ).toEqual([{ number: 1, cells: ['new'] }])
    expect(await allRows(await writeXlsx({ sheets: [{ name: 'Data', rows: [] }] }))).toEqual([])
  })

  it('merged in a header read as one cell and empty ones, so the columns below are reported missing', async () => {
    const bytes = await writeXlsx({
      sheets: [
        {
          name: 'Data',
          rows: [
            ['客户名称', null, '类型'],
            ['A', 'B', '企业'],
          ],
          merges: [{ startRow: 0, startCol: 0, endRow: 0, endCol: 1 }],
        },
      ],
    })
    const [header, row] = await allRows(bytes)
    expect(matchHeader(header.cells, exampleColumns.slice(0, 3))).toEqual({
      keys: ['name', null, 'type'],
      missing: ['creditCode'],
      unknown: [],
      doubled: [],
    })
    expect(row).toEqual({ number: 2, cells: ['A', 'B', '企业'] })
  })
})

describe('a template filled in with LibreOffice', () => {
  const fixture = path.join(import.meta.dirname, 'fixtures/filledInLibreOffice.xlsx')

  it('keeps its marker, header, sample row, formats and formulas', async () => {
    const sheet = await openSheet(createReadStream(fixture))
    const [header, sample, ...rows] = await collected(sheet.rows())
    await sheet.close()
    expect(sheet.marker).toBe(exampleTemplate.marker)
    const { keys, ...rest } = matchHeader(header.cells, exampleColumns)
    expect([keys, rest]).toEqual([exampleColumns.map(({ key }) => key), { missing: [], unknown: [], doubled: [] }])
    expect(isSample(sample.cells, keys, exampleColumns)).toBe(true)
    expect(rows).toEqual([
      {
        number: 3,
        cells: [
          '上海第一有限公司',
          '91310000MA1K12345X',
          '企业',
          '上海第7分公司',
          1234.5,
          new Date('2026-02-28T00:00:00Z'),
          new Date('2026-02-28T13:45:10Z'),
          '是',
          '6222020200112233445',
        ],
      },
      {
        number: 4,
        cells: [
          '上海第一有限公司分部',
          '011010119900307123',
          '个人',
          null,
          2469,
          new Date('2026-03-01T00:00:00Z'),
          null,
          '#N/A',
          '#DIV/0!',
        ],
      },
      { number: 6, cells: ['两行\n文字', '=1+1', null, null, -0.1, null, null, true] },
    ])
  })
})

describe('reading', () => {
  let home: string
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'formwork-sheets-'))
    vi.stubEnv('TMPDIR', home)
  })
  afterEach(() => vi.unstubAllEnvs())

  const held = () =>
    readdirSync('/proc/self/fd').filter((each) => {
      try {
        return readlinkSync(`/proc/self/fd/${each}`).startsWith(home)
      } catch {
        return false
      }
    }).length
  const bytes = () => zip(book([cells(text('x')).repeat(50_000)]))

  it('leaves no named file behind, from the start', async () => {
    const sheet = await opened(await bytes())
    expect(readdirSync(home)).toEqual([])
    await sheet.close()
    await expect(opened(Buffer.from('a,b'))).rejects.toThrow(Refusal)
    await expect(
      openSheet(
        Readable.from(
          (async function* () {
            yield Buffer.from('PK')
            throw new Error('the connection broke')
          })(),
        ),
      ),
    ).rejects.toThrow('the connection broke')
    expect(readdirSync(home)).toEqual([])
  })

  it.runIf(existsSync('/proc/self/fd'))('leaves nothing open, even if it ends early or is refused', async () => {
    const sheet = await opened(await bytes())
    for await (const row of sheet.rows()) {
      expect(row.number).toBe(1)
      break
    }
    expect(await collected(sheet.rows())).toHaveLength(50_000)
    expect(held()).toBe(1)
    const reading = sheet.rows()
    await reading.next()
    await sheet.close()
    await reading.return(undefined)
    await expect(opened(await zip(book([''], { state: 'hidden' })))).rejects.toThrow(Refusal)
    await expect.poll(held).toBe(0)
    expect(() => sheet.rows()).toThrow('closed')
  })
})
