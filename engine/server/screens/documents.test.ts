import { describe, expect, test } from 'vitest'
import type { HelpDocument } from '../HelpDocument.ts'
import { documentSections } from './documents.ts'

const document = (name: string, text: string): HelpDocument => ({
  name,
  title: { cn: name, en: name },
  language: 'en',
  path: `docs/${name}.md`,
  files: [{ path: `docs/${name}.md`, text }],
})
const other = document('other', '# Other\n\n## Health & outages\n\n### Deep\n\nx')
const html = (text: string) => documentSections(document('one', text), [document('one', text), other])

describe('a document in the help', () => {
  test('has a section for its introduction and for each heading of the second level', () => {
    const sections = html(
      '# One\n\nIntro.\n\n## First part\n\n```\n## no heading\n```\n\n### Below\n\n## Second\n\n| a |\n|---|\n| b |\n',
    )
    expect(sections.map(({ id, title }) => [id, title])).toEqual([
      ['one', 'One'],
      ['first-part', 'First part'],
      ['second', 'Second'],
    ])
    expect(sections[0].html).toContain('<p>Intro.</p>')
    expect(sections[1].html).toContain('## no heading')
    expect(sections[1].html).toContain('<h3>Below</h3>')
    expect(sections[2].html).toContain('<td>b</td>')
  })

  test('links to visible sections, and to nothing else of the project', () => {
    const [section] = html(
      '[a](other.md) [b](other.md#health--outages) [c](other.md#deep) [d](#one) [e](../src/main.tsx) [f](https://example.com)',
    )
    expect([...section.html!.matchAll(/<a href="([^"]*)">(\w)/g)].map(([, to, name]) => [name, to])).toEqual([
      ['a', '/help/other'],
      ['b', '/help/other?at=health--outages'],
      ['c', '/help/other?at=health--outages'],
      ['d', '/help/one?at=one'],
      ['f', 'https://example.com'],
    ])
    expect(section.html).toContain('<span>e</span>')
  })

  test('is a folder, with a section for each of its files', () => {
    const folder: HelpDocument = {
      ...document('choices', ''),
      path: 'docs/choices',
      files: [
        { path: 'docs/choices/b.md', text: '# Second\n\n[first](a.md) [one](../one.md) [itself](#second)' },
        { path: 'docs/choices/a.md', text: '# First\n\nx' },
      ],
    }
    const guide = document('one', '[all](choices) [second](choices/b.md) [first](choices/a.md#first)')
    const shown = [guide, folder]
    const linksOf = (page: HelpDocument) =>
      documentSections(page, shown).map((section) => [
        section.id,
        ...[...section.html!.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
      ])
    expect(linksOf(folder)).toEqual([
      ['second', '/help/choices?at=first', '/help/one', '/help/choices?at=second'],
      ['first'],
    ])
    expect(linksOf(guide)).toEqual([['one', '/help/choices', '/help/choices?at=second', '/help/choices?at=first']])
  })

  test('contains no script, no picture and no style', () => {
    const [section] = html(
      '<script>alert(1)</script><img src=x onerror=alert(1)><b style="color:red" onclick="x()">b</b>\n\n[x](javascript:alert(1))',
    )
    expect(section.html).not.toMatch(/script|img|style|onclick|alert/)
    expect(section.html).toContain('<b>b</b>')
    expect(section.html).toContain('<span>x</span>')
  })
})
