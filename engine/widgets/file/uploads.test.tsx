// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { RequestError } from '../../client/RequestError.ts'
import type { FileValue, Value } from '../../model/model.ts'
import { image } from '../image/image.ts'
import { fileView } from './file.view.tsx'
import { imageView } from '../image/image.view.tsx'
import { fieldOf, stage, stubBrowser } from '../../../tests/stage.tsx'
import { isLong } from '../../../tests/long.ts'

beforeAll(stubBrowser)
afterEach(cleanup)

const pictures = (max: number) => fieldOf('image', 'pictures', { max, extensions: ['.jpg', '.png'], maxSize: 1 })
const kept = { url: '/api/files/a.jpg', name: 'a.jpg', size: 9, status: 'success' } as const
const fileOf = (name: string, size = 4) => new File([new Uint8Array(size)], name)
const choose = (...files: File[]) =>
  act(async () => {
    fireEvent.change(document.querySelector('input[type=file]')!, { target: { files } })
  })
const message = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text))

test('chosen files are uploaded beside the existing ones', async () => {
  const { value } = await stage(imageView.Edit, pictures(5), [kept])
  await choose(fileOf('b.png'), fileOf('C.JPG'))
  await waitFor(() =>
    expect(value()).toEqual([
      kept,
      { url: '/api/files/b.png', name: 'b.png', size: 4, status: 'success' },
      { url: '/api/files/C.JPG', name: 'C.JPG', size: 4, status: 'success' },
    ]),
  )
})

test('an image field takes the file types of the specification, and one picture by default', () => {
  const { extensions, max } = image.options.properties
  expect([extensions, max]).toMatchObject([{ default: ['.jpg', '.jpeg', '.png', '.gif'] }, { default: 1 }])
})

test('the file dialog offers the accepted types, and several files only if the limit allows', async () => {
  await stage(imageView.Edit, pictures(1), null)
  const input = () => document.querySelector('input[type=file]')!
  expect([input().getAttribute('accept'), input().hasAttribute('multiple')]).toEqual(['.jpg,.png', false])
  cleanup()
  await stage(imageView.Edit, pictures(5), null)
  expect(input().hasAttribute('multiple')).toBe(true)
})

test('the limit is reported in English, too, and applies to dropped files', async () => {
  const { value } = await stage(imageView.Edit, pictures(1), null, { text: (label) => label.en })
  await act(async () => {
    fireEvent.drop(document.querySelector('.uploads')!, { dataTransfer: { files: [fileOf('a.png'), fileOf('b.png')] } })
  })
  await message('exceeds the file upload limit')
  await waitFor(() =>
    expect((value() as FileValue[]).map(({ name, status }) => [name, status])).toEqual([['a.png', 'success']]),
  )
})

test('files beyond the limit are refused with a message, and those within it are taken', async () => {
  const { value } = await stage(imageView.Edit, pictures(2), [kept])
  await choose(fileOf('b.png'), fileOf('c.png'))
  await message('超出文件上传限制个数')
  await waitFor(() => expect((value() as FileValue[]).map(({ name }) => name)).toEqual(['a.jpg', 'b.png']))
})

test('files of other types and files that are too large are never sent', async () => {
  const sent: string[] = []
  const upload = async (file: File): Promise<never> => {
    sent.push(file.name)
    throw new Error('unexpected')
  }
  const { value } = await stage(imageView.Edit, pictures(5), null, { upload })
  await choose(fileOf('a.svg'), fileOf('big.png', 1024 * 1024 + 1))
  await message('仅支持.jpg .png格式的文件')
  await message('文件大小不能超过1MB')
  expect([sent, value()]).toEqual([[], null])
})

test('removing a file asks first', async () => {
  const { value } = await stage(imageView.Edit, pictures(5), [kept])
  const remove = () =>
    act(async () => {
      fireEvent.click(screen.getByRole('button', { name: '移除 a.jpg' }))
    })
  await remove()
  await act(async () => {
    fireEvent.click(await screen.findByRole('button', { name: /取\s*消/ }))
  })
  expect(value()).toEqual([kept])
  await waitFor(() => expect(screen.queryByRole('button', { name: /取\s*消/ })).toBeNull())
  await remove()
  await act(async () => {
    fireEvent.click(await screen.findByRole('button', { name: /确\s*定/ }))
  })
  await waitFor(() => expect(value()).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '上传 pictures' }))
})

test('a file that was refused is not sent again, and makes way for the next', async () => {
  let refusal: Error | undefined = new RequestError('这是文本文件', { code: 422 })
  const { value } = await stage(fileView.Edit, fieldOf('file', 'sheet', { max: 1, extensions: ['.xlsx'] }), null, {
    upload: async ({ name, size }) => {
      if (refusal) throw refusal
      return { url: `/api/files/${name}`, name, size }
    },
  })
  await choose(fileOf('bad.xlsx'))
  await message('这是文本文件')
  expect(screen.queryByRole('button', { name: '重试 bad.xlsx' })).toBeNull()
  refusal = undefined
  await choose(fileOf('good.xlsx'))
  await waitFor(() =>
    expect(value()).toEqual([{ url: '/api/files/good.xlsx', name: 'good.xlsx', size: 4, status: 'success' }]),
  )
})

test.skipIf(!isLong)('failed files stay while there is room beside the others', async () => {
  const { value } = await stage(imageView.Edit, pictures(3), [kept], {
    upload: async ({ name, size }) => {
      if (name.startsWith('bad')) throw new Error('gone')
      return { url: `/api/files/${name}`, name, size }
    },
  })
  const names = () => (value() as FileValue[]).map(({ name }) => name)
  await choose(fileOf('bad1.png'), fileOf('bad2.png'))
  await choose(fileOf('b.png'))
  await waitFor(() => expect(names()).toEqual(['a.jpg', 'bad1.png', 'b.png']))
  await choose(fileOf('c.png'))
  await waitFor(() => expect(names()).toEqual(['a.jpg', 'b.png', 'c.png']))
})

test('progress stops at 99 until the answer; a failed file is marked and can be sent again', async () => {
  const attempts: { progress(percent: number): void; done(file: FileValue): void; fail(error: Error): void }[] = []
  const { value } = await stage(imageView.Edit, pictures(1), null, {
    upload: (_file, progress) => new Promise((done, fail) => attempts.push({ progress, done, fail })),
  })
  await choose(fileOf('a.png'))
  await act(async () => attempts[0].progress(100))
  expect(screen.getByText('99%')).toBeTruthy()
  expect((value() as Value[])[0]).toMatchObject({ name: 'a.png', status: 'uploading' })
  await act(async () => attempts[0].fail(new Error('gone')))
  expect(screen.getByText('上传失败')).toBeTruthy()
  expect((value() as Value[])[0]).toMatchObject({ status: 'failed' })
  expect([document.querySelector('.ant-message-notice'), screen.queryByText('99%')]).toEqual([null, null])
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: '重试 a.png' }))
  })
  await act(async () => attempts[1].done({ url: '/api/files/1.png', name: 'a.png', size: 4 }))
  expect(value()).toEqual([{ url: '/api/files/1.png', name: 'a.png', size: 4, status: 'success' }])
})

test('a refused file shows the reason until it is sent again', async () => {
  const attempts: ((error: Error) => void)[] = []
  await stage(fileView.Edit, fieldOf('file', 'sheet', { max: 1, extensions: ['.xlsx'], maxSize: 1 }), null, {
    upload: () => new Promise((_, fail) => attempts.push(fail)),
  })
  await choose(fileOf('a.xlsx'))
  await act(async () => attempts[0](new Error('这是文本文件')))
  expect(screen.getByRole('alert').textContent).toBe('这是文本文件')
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: '重试 a.xlsx' }))
  })
  expect(screen.queryByRole('alert')).toBeNull()
})

test.skipIf(!isLong)('a refused picture shows the reason', async () => {
  await stage(imageView.Edit, pictures(1), null, {
    upload: async () => {
      throw new Error('文件大小不能超过5MB')
    },
  })
  await choose(fileOf('a.png'))
  expect((await screen.findByRole('alert')).textContent).toBe('文件大小不能超过5MB')
})

test.skipIf(!isLong)('a file that failed twice stays marked; once removed, it is not sent again', async () => {
  let attempts = 0
  const upload = async (): Promise<never> => {
    attempts++
    throw new Error('gone')
  }
  const { value } = await stage(imageView.Edit, pictures(2), null, { upload })
  await choose(fileOf('a.png'))
  await act(async () => {
    fireEvent.click(await screen.findByRole('button', { name: '重试 a.png' }))
  })
  await waitFor(() => expect(attempts).toBe(2))
  expect((value() as Value[])[0]).toMatchObject({ name: 'a.png', status: 'failed' })
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: '移除 a.png' }))
  })
  expect(value()).toBeNull()
  expect([attempts, screen.queryByRole('button', { name: '重试 a.png' })]).toEqual([2, null])
})

test('the limit is shown beside the button, unless it is 99', async () => {
  await stage(imageView.Edit, pictures(5), null)
  expect(screen.getByText('最多上传5张')).toBeTruthy()
  cleanup()
  await stage(imageView.Edit, pictures(99), null)
  expect(screen.queryByText(/最多上传/)).toBeNull()
})
