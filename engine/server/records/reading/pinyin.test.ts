import { describe, expect, it } from 'vitest'
import { searchText } from './pinyin.ts'

describe('the search text', () => {
  it('contains the text, its pinyin and its initials', () => {
    expect(searchText(['重庆 银行A1', 'C000123', null])).toBe('重庆 银行a1\nchongqingyinhanga1\ncqyha1\nc000123')
    expect(searchText(['𠀀 绿地（Ab）'])).toBe('𠀀 绿地（ab）\n𠀀lüdi（ab）\n𠀀ld（ab）')
    expect(searchText([null, ''])).toBe('')
  })
})
